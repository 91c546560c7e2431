#!/usr/bin/env -S dtrace -s
/* tcpstate.d - TCP connections as they change their state. */
#pragma D option quiet

inline string state_name[int s] =
    s == 1 ? "ESTABLISHED" : s == 2 ? "SYN_SENT" : s == 3 ? "SYN_RECV" : s == 4 ? "FIN_WAIT1" : s == 5 ? "FIN_WAIT2" :
    s == 6 ? "TIME_WAIT" : s == 7 ? "CLOSE" : s == 8 ? "CLOSE_WAIT" : s == 9 ? "LAST_ACK" : s == 10 ? "LISTEN" :
    s == 11 ? "CLOSING" : s == 12 ? "NEW_SYN_RECV" : "?";

BEGIN
{
	printf("%-16s %-26s %-26s %s\n", "PROGRAM", "LOCAL", "REMOTE", "STATES");
}

sdt:sock::inet_sock_set_state
/args[6] == 6 && args[5] == 2/
{
	printf("%-16s %3d.%d.%d.%d:%-10d %3d.%d.%d.%d:%-10d %s -> %s\n", execname, args[7][0], args[7][1], args[7][2], args[7][3], args[3],
	    args[8][0], args[8][1], args[8][2], args[8][3], args[4], state_name[args[1]], state_name[args[2]]);
}
