/* SPDX-License-Identifier: BSD-3-Clause */
/* What /init does first where a user's programs run below systemd. */
#ifndef OSGAP_SESSION_H
#define OSGAP_SESSION_H

/* Makes the calling process the first of a session, and moves it into a control group that is
 * charged for memory and processes. 0, or -1. */
int session_enter(void);

#endif
