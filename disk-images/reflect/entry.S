/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the kernel enters the library, and all the calls that it makes itself. */
#define RT_SIGRETURN 139

	.option norvc
	.section .head, "ax"
	.balign	4
	.globl _start
_start:
	j	1f
	j	reflect_arm
1:	mv	a0, sp
	andi	sp, sp, -16
	call	program
	ebreak

	/* a0: where it begins, a1: its stack; no exit function is passed on. */
	.text
	.globl start_program
start_program:
	mv	t0, a0
	mv	sp, a1
	li	a0, 0
	jr	t0

	/* The kernel made a frame of 16 bytes; any register may hold something. */
	.macro each_register operation
	\operation	ra, 0(sp)
	\operation	a0, 8(sp)
	\operation	a1, 16(sp)
	\operation	a2, 24(sp)
	\operation	a3, 32(sp)
	\operation	a4, 40(sp)
	\operation	a5, 48(sp)
	\operation	a6, 56(sp)
	\operation	a7, 64(sp)
	\operation	t0, 72(sp)
	\operation	t1, 80(sp)
	\operation	t2, 88(sp)
	\operation	t3, 96(sp)
	\operation	t4, 104(sp)
	\operation	t5, 112(sp)
	\operation	t6, 120(sp)
	.endm

	.globl patch_entry
patch_entry:
	addi	sp, sp, -128
	each_register sd
	addi	a0, sp, 8
	addi	a1, sp, 128
	call	patch_reflected
	bnez	a0, 1f
	each_register ld
	addi	sp, sp, 128
	j	gates
1:	each_register ld
	addi	sp, sp, 128
	j	gates + 4

	/* The handler of SIGSYS; it returns the frame to go back by. */
	.globl sud_entry
sud_entry:
	mv	a3, sp
	call	sud_reflected
	j	return_from_signal

	.globl raw_begin, raw_end, gates, raw_call
raw_begin:
gates:
	ecall
	ecall
	ebreak
raw_call:
	mv	a7, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	mv	a3, a4
	mv	a4, a5
	mv	a5, a6
	ecall
	ret
return_from_signal:
	mv	sp, a0
	li	a7, RT_SIGRETURN
	ecall
	ebreak
raw_end:

	.section .note.GNU-stack, "", @progbits
