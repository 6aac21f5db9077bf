# SPDX-License-Identifier: BSD-3-Clause
"""What a core has inside, by the tables [pipeline] and [predictor] of a machine file."""

from m5.objects import (
    FP_ALU,
    DefaultFUPool,
    FP_MultDiv,
    IntALU,
    IntMultDiv,
    IprPort,
    MinorDefaultFloatSimdFU,
    MinorDefaultIntDivFU,
    MinorDefaultIntFU,
    MinorDefaultIntMulFU,
    MinorDefaultMemFU,
    MinorDefaultMiscFU,
    MinorDefaultPredFU,
    MinorFUPool,
    OpDesc,
    PredALU,
    RdWrPort,
    ReadPort,
    ReturnAddrStack,
    SIMD_Unit,
    SimpleBTB,
    TournamentBP,
    WritePort,
)

_MULTIPLY_CYCLES = {"in-order-pipelined": 3, "out-of-order": 3}  # gem5's own
_DIVIDE_CYCLES = {"in-order-pipelined": 9, "out-of-order": 20}
_O3_PARAMETERS = {
    "reorder_buffer": "numROBEntries",
    "issue_queue": "numIQEntries",
    "load_queue": "LQEntries",
    "store_queue": "SQEntries",
    "integer_registers": "numPhysIntRegs",
    "float_registers": "numPhysFloatRegs",
    "trap_cycles": "trapLatency",
}


def furnish(cpu, system) -> None:
    """Gives a Minor or an O3 CPU its predictor, queues and units; without the tables gem5's own."""
    if system.predictor is not None:
        cpu.branchPred = _predictor(system.predictor)
    if system.core == "in-order-pipelined":
        _minor(cpu, system)
    elif system.core == "out-of-order" and system.pipeline is not None:
        _o3(cpu, system.pipeline)


def _predictor(predictor):
    """gem5's tournament; its choice is as large as its global predictor."""
    size = 1 << predictor.global_bits
    return TournamentBP(
        globalPredictorSize=size,
        choicePredictorSize=size,
        localHistoryTableSize=1 << predictor.local_history_bits,
        localPredictorSize=1 << predictor.local_bits,
        btb=SimpleBTB(numEntries=predictor.btb_entries),
        ras=ReturnAddrStack(numEntries=predictor.return_stack),
    )


def _minor(cpu, system) -> None:
    """The load's own cycles are its unit's: a first cache of 1 cycle gives 2 of load to use."""
    pipeline = system.pipeline
    redirect = getattr(pipeline, "redirect_cycles", None)
    if redirect is not None:
        cpu.executeBranchDelay = redirect
    loads = 1 if system.l1d.load_cycles is None else system.l1d.load_cycles - 1
    multiply, divide = _latencies(pipeline, system.core)
    if pipeline is None and loads == 1:
        return
    units = [MinorDefaultIntFU(), MinorDefaultIntFU()]
    units += [MinorDefaultIntMulFU(opLat=multiply)]
    units += [MinorDefaultIntDivFU(opLat=divide, issueLat=divide)]
    units += [MinorDefaultFloatSimdFU(), MinorDefaultPredFU()]
    units += [MinorDefaultMemFU(opLat=loads), MinorDefaultMiscFU()]
    cpu.executeFuncUnits = MinorFUPool(funcUnits=units)


def _o3(cpu, pipeline) -> None:
    for name, parameter in _O3_PARAMETERS.items():
        value = getattr(pipeline, name, None)
        if value is not None:
            setattr(cpu, parameter, value)
    ports = getattr(pipeline, "memory_ports", None)
    if ports is not None:
        cpu.cacheLoadPorts = cpu.cacheStorePorts = ports
    multiply, divide = _latencies(pipeline, "out-of-order")
    whole = IntMultDiv(
        opList=[
            OpDesc(opClass="IntMult", opLat=multiply),
            OpDesc(opClass="IntDiv", opLat=divide, pipelined=False),
        ]
    )
    count = getattr(pipeline, "integer_units", None)
    integers = IntALU() if count is None else IntALU(count=count)
    others = [FP_ALU(), FP_MultDiv(), ReadPort(), SIMD_Unit(), PredALU(), WritePort(), RdWrPort()]
    cpu.fuPool = DefaultFUPool(FUList=[integers, whole, *others, IprPort()])


def _latencies(pipeline, core: str) -> tuple[int, int]:
    """Cycles of a multiplication and of a division."""
    multiply = getattr(pipeline, "multiply_cycles", None) or _MULTIPLY_CYCLES[core]
    divide = getattr(pipeline, "divide_cycles", None) or _DIVIDE_CYCLES[core]
    return multiply, divide
