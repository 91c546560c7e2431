/* groups/tcp.h - what the files of the network stack tell, in the order of Linux 6.18, which is where parsing looks first; then what older
 * kernels had. Names, identifiers and semantics: PCP 6.0.3; perfolio.* where it has none. */
#ifndef PF_GROUPS_TCP_H
#define PF_GROUPS_TCP_H

/* clang-format off */

/* X(section, key, metric, PMID as P(cluster, item) or OWN(item), semantics, units) for each number of a section. */
#define PF_TCP_FIELDS_Ip(X) \
	X(Ip, Forwarding, "network.ip.forwarding", P(14, 0), COUNTER, COUNT) \
	X(Ip, DefaultTTL, "network.ip.defaultttl", P(14, 1), COUNTER, COUNT) \
	X(Ip, InReceives, "network.ip.inreceives", P(14, 2), COUNTER, COUNT) \
	X(Ip, InHdrErrors, "network.ip.inhdrerrors", P(14, 3), COUNTER, COUNT) \
	X(Ip, InAddrErrors, "network.ip.inaddrerrors", P(14, 4), COUNTER, COUNT) \
	X(Ip, ForwDatagrams, "network.ip.forwdatagrams", P(14, 5), COUNTER, COUNT) \
	X(Ip, InUnknownProtos, "network.ip.inunknownprotos", P(14, 6), COUNTER, COUNT) \
	X(Ip, InDiscards, "network.ip.indiscards", P(14, 7), COUNTER, COUNT) \
	X(Ip, InDelivers, "network.ip.indelivers", P(14, 8), COUNTER, COUNT) \
	X(Ip, OutRequests, "network.ip.outrequests", P(14, 9), COUNTER, COUNT) \
	X(Ip, OutDiscards, "network.ip.outdiscards", P(14, 10), COUNTER, COUNT) \
	X(Ip, OutNoRoutes, "network.ip.outnoroutes", P(14, 11), COUNTER, COUNT) \
	X(Ip, ReasmTimeout, "network.ip.reasmtimeout", P(14, 12), COUNTER, COUNT) \
	X(Ip, ReasmReqds, "network.ip.reasmreqds", P(14, 13), COUNTER, COUNT) \
	X(Ip, ReasmOKs, "network.ip.reasmoks", P(14, 14), COUNTER, COUNT) \
	X(Ip, ReasmFails, "network.ip.reasmfails", P(14, 15), COUNTER, COUNT) \
	X(Ip, FragOKs, "network.ip.fragoks", P(14, 16), COUNTER, COUNT) \
	X(Ip, FragFails, "network.ip.fragfails", P(14, 17), COUNTER, COUNT) \
	X(Ip, FragCreates, "network.ip.fragcreates", P(14, 18), COUNTER, COUNT) \
	X(Ip, OutTransmits, "perfolio.ip.outtransmits", OWN(16), COUNTER, COUNT)

#define PF_TCP_FIELDS_Tcp(X) \
	X(Tcp, RtoAlgorithm, "network.tcp.rtoalgorithm", P(14, 50), INSTANT, NONE) \
	X(Tcp, RtoMin, "network.tcp.rtomin", P(14, 51), INSTANT, MSEC) \
	X(Tcp, RtoMax, "network.tcp.rtomax", P(14, 52), INSTANT, MSEC) \
	X(Tcp, MaxConn, "network.tcp.maxconn", P(14, 53), INSTANT, NONE) \
	X(Tcp, ActiveOpens, "network.tcp.activeopens", P(14, 54), COUNTER, COUNT) \
	X(Tcp, PassiveOpens, "network.tcp.passiveopens", P(14, 55), COUNTER, COUNT) \
	X(Tcp, AttemptFails, "network.tcp.attemptfails", P(14, 56), COUNTER, COUNT) \
	X(Tcp, EstabResets, "network.tcp.estabresets", P(14, 57), COUNTER, COUNT) \
	X(Tcp, CurrEstab, "network.tcp.currestab", P(14, 58), INSTANT, NONE) \
	X(Tcp, InSegs, "network.tcp.insegs", P(14, 59), COUNTER, COUNT) \
	X(Tcp, OutSegs, "network.tcp.outsegs", P(14, 60), COUNTER, COUNT) \
	X(Tcp, RetransSegs, "network.tcp.retranssegs", P(14, 61), COUNTER, COUNT) \
	X(Tcp, InErrs, "network.tcp.inerrs", P(14, 62), COUNTER, COUNT) \
	X(Tcp, OutRsts, "network.tcp.outrsts", P(14, 63), COUNTER, COUNT) \
	X(Tcp, InCsumErrors, "network.tcp.incsumerrors", P(14, 64), COUNTER, COUNT)

#define PF_TCP_FIELDS_Udp(X) \
	X(Udp, InDatagrams, "network.udp.indatagrams", P(14, 70), COUNTER, COUNT) \
	X(Udp, NoPorts, "network.udp.noports", P(14, 71), COUNTER, COUNT) \
	X(Udp, InErrors, "network.udp.inerrors", P(14, 72), COUNTER, COUNT) \
	X(Udp, OutDatagrams, "network.udp.outdatagrams", P(14, 74), COUNTER, COUNT) \
	X(Udp, RcvbufErrors, "network.udp.recvbuferrors", P(14, 75), COUNTER, COUNT) \
	X(Udp, SndbufErrors, "network.udp.sndbuferrors", P(14, 76), COUNTER, COUNT) \
	X(Udp, InCsumErrors, "network.udp.incsumerrors", P(14, 83), COUNTER, COUNT) \
	X(Udp, IgnoredMulti, "network.udp.ignoredmulti", P(14, 90), COUNTER, COUNT) \
	X(Udp, MemErrors, "network.udp.memerrors", P(14, 91), COUNTER, COUNT)

#define PF_TCP_FIELDS_Icmp(X) \
	X(Icmp, InMsgs, "network.icmp.inmsgs", P(14, 20), COUNTER, COUNT) \
	X(Icmp, InErrors, "network.icmp.inerrors", P(14, 21), COUNTER, COUNT) \
	X(Icmp, InCsumErrors, "network.icmp.incsumerrors", P(14, 46), COUNTER, COUNT) \
	X(Icmp, InDestUnreachs, "network.icmp.indestunreachs", P(14, 22), COUNTER, COUNT) \
	X(Icmp, InTimeExcds, "network.icmp.intimeexcds", P(14, 23), COUNTER, COUNT) \
	X(Icmp, InParmProbs, "network.icmp.inparmprobs", P(14, 24), COUNTER, COUNT) \
	X(Icmp, InSrcQuenchs, "network.icmp.insrcquenchs", P(14, 25), COUNTER, COUNT) \
	X(Icmp, InRedirects, "network.icmp.inredirects", P(14, 26), COUNTER, COUNT) \
	X(Icmp, InEchos, "network.icmp.inechos", P(14, 27), COUNTER, COUNT) \
	X(Icmp, InEchoReps, "network.icmp.inechoreps", P(14, 28), COUNTER, COUNT) \
	X(Icmp, InTimestamps, "network.icmp.intimestamps", P(14, 29), COUNTER, COUNT) \
	X(Icmp, InTimestampReps, "network.icmp.intimestampreps", P(14, 30), COUNTER, COUNT) \
	X(Icmp, InAddrMasks, "network.icmp.inaddrmasks", P(14, 31), COUNTER, COUNT) \
	X(Icmp, InAddrMaskReps, "network.icmp.inaddrmaskreps", P(14, 32), COUNTER, COUNT) \
	X(Icmp, OutMsgs, "network.icmp.outmsgs", P(14, 33), COUNTER, COUNT) \
	X(Icmp, OutErrors, "network.icmp.outerrors", P(14, 34), COUNTER, COUNT) \
	X(Icmp, OutRateLimitGlobal, "perfolio.icmp.outratelimitglobal", OWN(17), COUNTER, COUNT) \
	X(Icmp, OutRateLimitHost, "perfolio.icmp.outratelimithost", OWN(18), COUNTER, COUNT) \
	X(Icmp, OutDestUnreachs, "network.icmp.outdestunreachs", P(14, 35), COUNTER, COUNT) \
	X(Icmp, OutTimeExcds, "network.icmp.outtimeexcds", P(14, 36), COUNTER, COUNT) \
	X(Icmp, OutParmProbs, "network.icmp.outparmprobs", P(14, 37), COUNTER, COUNT) \
	X(Icmp, OutSrcQuenchs, "network.icmp.outsrcquenchs", P(14, 38), COUNTER, COUNT) \
	X(Icmp, OutRedirects, "network.icmp.outredirects", P(14, 39), COUNTER, COUNT) \
	X(Icmp, OutEchos, "network.icmp.outechos", P(14, 40), COUNTER, COUNT) \
	X(Icmp, OutEchoReps, "network.icmp.outechoreps", P(14, 41), COUNTER, COUNT) \
	X(Icmp, OutTimestamps, "network.icmp.outtimestamps", P(14, 42), COUNTER, COUNT) \
	X(Icmp, OutTimestampReps, "network.icmp.outtimestampreps", P(14, 43), COUNTER, COUNT) \
	X(Icmp, OutAddrMasks, "network.icmp.outaddrmasks", P(14, 44), COUNTER, COUNT) \
	X(Icmp, OutAddrMaskReps, "network.icmp.outaddrmaskreps", P(14, 45), COUNTER, COUNT)

#define PF_TCP_FIELDS_IpExt(X) \
	X(IpExt, InNoRoutes, "network.ip.innoroutes", P(53, 0), COUNTER, COUNT) \
	X(IpExt, InTruncatedPkts, "network.ip.intruncatedpkts", P(53, 1), COUNTER, COUNT) \
	X(IpExt, InMcastPkts, "network.ip.inmcastpkts", P(53, 2), COUNTER, COUNT) \
	X(IpExt, OutMcastPkts, "network.ip.outmcastpkts", P(53, 3), COUNTER, COUNT) \
	X(IpExt, InBcastPkts, "network.ip.inbcastpkts", P(53, 4), COUNTER, COUNT) \
	X(IpExt, OutBcastPkts, "network.ip.outbcastpkts", P(53, 5), COUNTER, COUNT) \
	X(IpExt, InOctets, "network.ip.inoctets", P(53, 6), COUNTER, COUNT) \
	X(IpExt, OutOctets, "network.ip.outoctets", P(53, 7), COUNTER, COUNT) \
	X(IpExt, InMcastOctets, "network.ip.inmcastoctets", P(53, 8), COUNTER, COUNT) \
	X(IpExt, OutMcastOctets, "network.ip.outmcastoctets", P(53, 9), COUNTER, COUNT) \
	X(IpExt, InBcastOctets, "network.ip.inbcastoctets", P(53, 10), COUNTER, COUNT) \
	X(IpExt, OutBcastOctets, "network.ip.outbcastoctets", P(53, 11), COUNTER, COUNT) \
	X(IpExt, InCsumErrors, "network.ip.csumerrors", P(53, 12), COUNTER, COUNT) \
	X(IpExt, InNoECTPkts, "network.ip.noectpkts", P(53, 13), COUNTER, COUNT) \
	X(IpExt, InECT1Pkts, "network.ip.ect1pkts", P(53, 14), COUNTER, COUNT) \
	X(IpExt, InECT0Pkts, "network.ip.ect0pkts", P(53, 15), COUNTER, COUNT) \
	X(IpExt, InCEPkts, "network.ip.cepkts", P(53, 16), COUNTER, COUNT) \
	X(IpExt, ReasmOverlaps, "network.ip.reasmoverlaps", P(53, 168), COUNTER, COUNT)

#define PF_TCP_FIELDS_TcpExt(X) \
	X(TcpExt, SyncookiesSent, "network.tcp.syncookiessent", P(53, 17), COUNTER, COUNT) \
	X(TcpExt, SyncookiesRecv, "network.tcp.syncookiesrecv", P(53, 18), COUNTER, COUNT) \
	X(TcpExt, SyncookiesFailed, "network.tcp.syncookiesfailed", P(53, 19), COUNTER, COUNT) \
	X(TcpExt, EmbryonicRsts, "network.tcp.embryonicrsts", P(53, 20), COUNTER, COUNT) \
	X(TcpExt, PruneCalled, "network.tcp.prunecalled", P(53, 21), COUNTER, COUNT) \
	X(TcpExt, RcvPruned, "network.tcp.rcvpruned", P(53, 22), COUNTER, COUNT) \
	X(TcpExt, OfoPruned, "network.tcp.ofopruned", P(53, 23), COUNTER, COUNT) \
	X(TcpExt, OutOfWindowIcmps, "network.tcp.outofwindowicmps", P(53, 24), COUNTER, COUNT) \
	X(TcpExt, LockDroppedIcmps, "network.tcp.lockdroppedicmps", P(53, 25), COUNTER, COUNT) \
	X(TcpExt, ArpFilter, "network.tcp.arpfilter", P(53, 26), COUNTER, COUNT) \
	X(TcpExt, TW, "network.tcp.timewaited", P(53, 27), COUNTER, COUNT) \
	X(TcpExt, TWRecycled, "network.tcp.timewaitrecycled", P(53, 28), COUNTER, COUNT) \
	X(TcpExt, TWKilled, "network.tcp.timewaitkilled", P(53, 29), COUNTER, COUNT) \
	X(TcpExt, PAWSActive, "network.tcp.pawsactiverejected", P(53, 31), COUNTER, COUNT) \
	X(TcpExt, PAWSEstab, "network.tcp.pawsestabrejected", P(53, 32), COUNTER, COUNT) \
	X(TcpExt, BeyondWindow, "perfolio.tcp.beyondwindow", OWN(19), COUNTER, COUNT) \
	X(TcpExt, TSEcrRejected, "perfolio.tcp.tsecrrejected", OWN(20), COUNTER, COUNT) \
	X(TcpExt, PAWSOldAck, "perfolio.tcp.pawsoldack", OWN(21), COUNTER, COUNT) \
	X(TcpExt, PAWSTimewait, "perfolio.tcp.pawstimewait", OWN(22), COUNTER, COUNT) \
	X(TcpExt, DelayedACKs, "network.tcp.delayedacks", P(53, 33), COUNTER, COUNT) \
	X(TcpExt, DelayedACKLocked, "network.tcp.delayedacklocked", P(53, 34), COUNTER, COUNT) \
	X(TcpExt, DelayedACKLost, "network.tcp.delayedacklost", P(53, 35), COUNTER, COUNT) \
	X(TcpExt, ListenOverflows, "network.tcp.listenoverflows", P(53, 36), COUNTER, COUNT) \
	X(TcpExt, ListenDrops, "network.tcp.listendrops", P(53, 37), COUNTER, COUNT) \
	X(TcpExt, TCPHPHits, "network.tcp.hphits", P(53, 42), COUNTER, COUNT) \
	X(TcpExt, TCPPureAcks, "network.tcp.pureacks", P(53, 44), COUNTER, COUNT) \
	X(TcpExt, TCPHPAcks, "network.tcp.hpacks", P(53, 45), COUNTER, COUNT) \
	X(TcpExt, TCPRenoRecovery, "network.tcp.renorecovery", P(53, 46), COUNTER, COUNT) \
	X(TcpExt, TCPSackRecovery, "network.tcp.sackrecovery", P(53, 47), COUNTER, COUNT) \
	X(TcpExt, TCPSACKReneging, "network.tcp.sackreneging", P(53, 48), COUNTER, COUNT) \
	X(TcpExt, TCPSACKReorder, "network.tcp.sackreorder", P(53, 50), COUNTER, COUNT) \
	X(TcpExt, TCPRenoReorder, "network.tcp.renoreorder", P(53, 51), COUNTER, COUNT) \
	X(TcpExt, TCPTSReorder, "network.tcp.tsreorder", P(53, 52), COUNTER, COUNT) \
	X(TcpExt, TCPFullUndo, "network.tcp.fullundo", P(53, 53), COUNTER, COUNT) \
	X(TcpExt, TCPPartialUndo, "network.tcp.partialundo", P(53, 54), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKUndo, "network.tcp.dsackundo", P(53, 55), COUNTER, COUNT) \
	X(TcpExt, TCPLossUndo, "network.tcp.lossundo", P(53, 56), COUNTER, COUNT) \
	X(TcpExt, TCPLostRetransmit, "network.tcp.lostretransmit", P(53, 57), COUNTER, COUNT) \
	X(TcpExt, TCPRenoFailures, "network.tcp.renofailures", P(53, 58), COUNTER, COUNT) \
	X(TcpExt, TCPSackFailures, "network.tcp.sackfailures", P(53, 59), COUNTER, COUNT) \
	X(TcpExt, TCPLossFailures, "network.tcp.lossfailures", P(53, 60), COUNTER, COUNT) \
	X(TcpExt, TCPFastRetrans, "network.tcp.fastretrans", P(53, 61), COUNTER, COUNT) \
	X(TcpExt, TCPSlowStartRetrans, "network.tcp.slowstartretrans", P(53, 63), COUNTER, COUNT) \
	X(TcpExt, TCPTimeouts, "network.tcp.timeouts", P(53, 64), COUNTER, COUNT) \
	X(TcpExt, TCPLossProbes, "network.tcp.lossprobes", P(53, 65), COUNTER, COUNT) \
	X(TcpExt, TCPLossProbeRecovery, "network.tcp.lossproberecovery", P(53, 66), COUNTER, COUNT) \
	X(TcpExt, TCPRenoRecoveryFail, "network.tcp.renorecoveryfail", P(53, 67), COUNTER, COUNT) \
	X(TcpExt, TCPSackRecoveryFail, "network.tcp.sackrecoveryfail", P(53, 68), COUNTER, COUNT) \
	X(TcpExt, TCPRcvCollapsed, "network.tcp.rcvcollapsed", P(53, 70), COUNTER, COUNT) \
	X(TcpExt, TCPBacklogCoalesce, "network.tcp.tcpbacklogcoalesce", P(53, 132), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKOldSent, "network.tcp.dsackoldsent", P(53, 71), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKOfoSent, "network.tcp.dsackofosent", P(53, 72), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKRecv, "network.tcp.dsackrecv", P(53, 73), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKOfoRecv, "network.tcp.dsackoforecv", P(53, 74), COUNTER, COUNT) \
	X(TcpExt, TCPAbortOnData, "network.tcp.abortondata", P(53, 75), COUNTER, COUNT) \
	X(TcpExt, TCPAbortOnClose, "network.tcp.abortonclose", P(53, 76), COUNTER, COUNT) \
	X(TcpExt, TCPAbortOnMemory, "network.tcp.abortonmemory", P(53, 77), COUNTER, COUNT) \
	X(TcpExt, TCPAbortOnTimeout, "network.tcp.abortontimeout", P(53, 78), COUNTER, COUNT) \
	X(TcpExt, TCPAbortOnLinger, "network.tcp.abortonlinger", P(53, 79), COUNTER, COUNT) \
	X(TcpExt, TCPAbortFailed, "network.tcp.abortfailed", P(53, 80), COUNTER, COUNT) \
	X(TcpExt, TCPMemoryPressures, "network.tcp.memorypressures", P(53, 81), COUNTER, COUNT) \
	X(TcpExt, TCPMemoryPressuresChrono, "network.tcp.tcpmemorypressureschrono", P(53, 133), COUNTER, MBYTE) \
	X(TcpExt, TCPSACKDiscard, "network.tcp.sackdiscard", P(53, 82), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKIgnoredOld, "network.tcp.dsackignoredold", P(53, 83), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKIgnoredNoUndo, "network.tcp.dsackignorednoundo", P(53, 84), COUNTER, COUNT) \
	X(TcpExt, TCPSpuriousRTOs, "network.tcp.spuriousrtos", P(53, 85), COUNTER, COUNT) \
	X(TcpExt, TCPMD5NotFound, "network.tcp.md5notfound", P(53, 86), COUNTER, COUNT) \
	X(TcpExt, TCPMD5Unexpected, "network.tcp.md5unexpected", P(53, 87), COUNTER, COUNT) \
	X(TcpExt, TCPMD5Failure, "network.tcp.tcpmd5failure", P(53, 134), COUNTER, COUNT) \
	X(TcpExt, TCPSackShifted, "network.tcp.sackshifted", P(53, 88), COUNTER, COUNT) \
	X(TcpExt, TCPSackMerged, "network.tcp.sackmerged", P(53, 89), COUNTER, COUNT) \
	X(TcpExt, TCPSackShiftFallback, "network.tcp.sackshiftfallback", P(53, 90), COUNTER, COUNT) \
	X(TcpExt, TCPBacklogDrop, "network.tcp.backlogdrop", P(53, 91), COUNTER, COUNT) \
	X(TcpExt, PFMemallocDrop, "network.tcp.pfmemallocdrop", P(53, 135), COUNTER, COUNT) \
	X(TcpExt, TCPMinTTLDrop, "network.tcp.minttldrop", P(53, 92), COUNTER, COUNT) \
	X(TcpExt, TCPDeferAcceptDrop, "network.tcp.deferacceptdrop", P(53, 93), COUNTER, COUNT) \
	X(TcpExt, IPReversePathFilter, "network.tcp.iprpfilter", P(53, 94), COUNTER, COUNT) \
	X(TcpExt, TCPTimeWaitOverflow, "network.tcp.timewaitoverflow", P(53, 95), COUNTER, COUNT) \
	X(TcpExt, TCPReqQFullDoCookies, "network.tcp.reqqfulldocookies", P(53, 96), COUNTER, COUNT) \
	X(TcpExt, TCPReqQFullDrop, "network.tcp.reqqfulldrop", P(53, 97), COUNTER, COUNT) \
	X(TcpExt, TCPRetransFail, "network.tcp.retransfail", P(53, 98), COUNTER, COUNT) \
	X(TcpExt, TCPRcvCoalesce, "network.tcp.rcvcoalesce", P(53, 99), COUNTER, COUNT) \
	X(TcpExt, TCPOFOQueue, "network.tcp.ofoqueue", P(53, 100), COUNTER, COUNT) \
	X(TcpExt, TCPOFODrop, "network.tcp.ofodrop", P(53, 101), COUNTER, COUNT) \
	X(TcpExt, TCPOFOMerge, "network.tcp.ofomerge", P(53, 102), COUNTER, COUNT) \
	X(TcpExt, TCPChallengeACK, "network.tcp.challengeack", P(53, 103), COUNTER, COUNT) \
	X(TcpExt, TCPSYNChallenge, "network.tcp.synchallenge", P(53, 104), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenActive, "network.tcp.fastopenactive", P(53, 105), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenActiveFail, "network.tcp.tcpfastopenactivefail", P(53, 136), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenPassive, "network.tcp.fastopenpassive", P(53, 107), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenPassiveFail, "network.tcp.fastopenpassivefail", P(53, 108), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenListenOverflow, "network.tcp.fastopenlistenoverflow", P(53, 109), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenCookieReqd, "network.tcp.fastopencookiereqd", P(53, 110), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenBlackhole, "network.tcp.tcpfastopenblackhole", P(53, 137), COUNTER, COUNT) \
	X(TcpExt, TCPSpuriousRtxHostQueues, "network.tcp.spuriousrtxhostqueues", P(53, 111), COUNTER, COUNT) \
	X(TcpExt, BusyPollRxPackets, "network.tcp.busypollrxpackets", P(53, 112), COUNTER, COUNT) \
	X(TcpExt, TCPAutoCorking, "network.tcp.autocorking", P(53, 113), COUNTER, COUNT) \
	X(TcpExt, TCPFromZeroWindowAdv, "network.tcp.fromzerowindowadv", P(53, 114), COUNTER, COUNT) \
	X(TcpExt, TCPToZeroWindowAdv, "network.tcp.tozerowindowadv", P(53, 115), COUNTER, COUNT) \
	X(TcpExt, TCPWantZeroWindowAdv, "network.tcp.wantzerowindowadv", P(53, 116), COUNTER, COUNT) \
	X(TcpExt, TCPSynRetrans, "network.tcp.synretrans", P(53, 117), COUNTER, COUNT) \
	X(TcpExt, TCPOrigDataSent, "network.tcp.origdatasent", P(53, 118), COUNTER, COUNT) \
	X(TcpExt, TCPHystartTrainDetect, "network.tcp.tcphystarttraindetect", P(53, 141), COUNTER, COUNT) \
	X(TcpExt, TCPHystartTrainCwnd, "network.tcp.tcphystarttraincwnd", P(53, 142), COUNTER, COUNT) \
	X(TcpExt, TCPHystartDelayDetect, "network.tcp.tcphystartdelaydetect", P(53, 143), COUNTER, COUNT) \
	X(TcpExt, TCPHystartDelayCwnd, "network.tcp.tcphystartdelaycwnd", P(53, 144), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedSynRecv, "network.tcp.tcpackskippedsynrecv", P(53, 145), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedPAWS, "network.tcp.tcpackskippedpaws", P(53, 146), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedSeq, "network.tcp.tcpackskippedseq", P(53, 147), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedFinWait2, "network.tcp.tcpackskippedfinwait2", P(53, 148), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedTimeWait, "network.tcp.tcpackskippedtimewait", P(53, 149), COUNTER, COUNT) \
	X(TcpExt, TCPACKSkippedChallenge, "network.tcp.tcpackskippedchallenge", P(53, 150), COUNTER, COUNT) \
	X(TcpExt, TCPWinProbe, "network.tcp.tcpwinprobe", P(53, 151), COUNTER, COUNT) \
	X(TcpExt, TCPKeepAlive, "network.tcp.tcpkeepalive", P(53, 152), COUNTER, COUNT) \
	X(TcpExt, TCPMTUPFail, "network.tcp.tcpmtupfail", P(53, 153), COUNTER, COUNT) \
	X(TcpExt, TCPMTUPSuccess, "network.tcp.tcpmtupsuccess", P(53, 154), COUNTER, COUNT) \
	X(TcpExt, TCPDelivered, "network.tcp.tcpdelivered", P(53, 155), COUNTER, COUNT) \
	X(TcpExt, TCPDeliveredCE, "network.tcp.tcpdeliveredce", P(53, 156), COUNTER, COUNT) \
	X(TcpExt, TCPAckCompressed, "network.tcp.tcpackcompressed", P(53, 157), COUNTER, COUNT) \
	X(TcpExt, TCPZeroWindowDrop, "network.tcp.tcpzerowindowdrop", P(53, 158), COUNTER, COUNT) \
	X(TcpExt, TCPRcvQDrop, "network.tcp.tcprcvqdrop", P(53, 159), COUNTER, COUNT) \
	X(TcpExt, TCPWqueueTooBig, "network.tcp.tcpwqueuetoobig", P(53, 160), COUNTER, COUNT) \
	X(TcpExt, TCPFastOpenPassiveAltKey, "network.tcp.tcpfastopenpassivealtkey", P(53, 161), COUNTER, COUNT) \
	X(TcpExt, TcpTimeoutRehash, "network.tcp.tcptimeoutrehash", P(53, 162), COUNTER, COUNT) \
	X(TcpExt, TcpDuplicateDataRehash, "network.tcp.tcpduplicatedatarehash", P(53, 163), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKRecvSegs, "network.tcp.tcpdsackrecvsegs", P(53, 164), COUNTER, COUNT) \
	X(TcpExt, TCPDSACKIgnoredDubious, "network.tcp.tcpdsackignoreddubious", P(53, 165), COUNTER, COUNT) \
	X(TcpExt, TCPMigrateReqSuccess, "network.tcp.tcpmigratereqsuccess", P(53, 166), COUNTER, COUNT) \
	X(TcpExt, TCPMigrateReqFailure, "network.tcp.tcpmigratereqfailure", P(53, 167), COUNTER, COUNT) \
	X(TcpExt, TCPPLBRehash, "perfolio.tcp.tcpplbrehash", OWN(23), COUNTER, COUNT) \
	X(TcpExt, TCPAORequired, "perfolio.tcp.tcpaorequired", OWN(24), COUNTER, COUNT) \
	X(TcpExt, TCPAOBad, "perfolio.tcp.tcpaobad", OWN(25), COUNTER, COUNT) \
	X(TcpExt, TCPAOKeyNotFound, "perfolio.tcp.tcpaokeynotfound", OWN(26), COUNTER, COUNT) \
	X(TcpExt, TCPAOGood, "perfolio.tcp.tcpaogood", OWN(27), COUNTER, COUNT) \
	X(TcpExt, TCPAODroppedIcmps, "perfolio.tcp.tcpaodroppedicmps", OWN(28), COUNTER, COUNT) \
	X(TcpExt, PAWSPassive, "network.tcp.pawspassiverejected", P(53, 30), COUNTER, COUNT) \
	X(TcpExt, TCPPrequeued, "network.tcp.prequeued", P(53, 38), COUNTER, COUNT) \
	X(TcpExt, TCPDirectCopyFromBacklog, "network.tcp.directcopyfrombacklog", P(53, 39), COUNTER, COUNT) \
	X(TcpExt, TCPDirectCopyFromPrequeue, "network.tcp.directcopyfromprequeue", P(53, 40), COUNTER, COUNT) \
	X(TcpExt, TCPPrequeueDropped, "network.tcp.prequeueddropped", P(53, 41), COUNTER, COUNT) \
	X(TcpExt, TCPHPHitsToUser, "network.tcp.hphitstouser", P(53, 43), COUNTER, COUNT) \
	X(TcpExt, TCPFACKReorder, "network.tcp.fackreorder", P(53, 49), COUNTER, COUNT) \
	X(TcpExt, TCPForwardRetrans, "network.tcp.forwardretrans", P(53, 62), COUNTER, COUNT) \
	X(TcpExt, TCPSchedulerFailed, "network.tcp.schedulerfail", P(53, 69), COUNTER, COUNT) \
	X(TcpExt, TCPLoss, "network.tcp.tcploss", P(53, 189), COUNTER, COUNT)

#define PF_TCP_FIELDS_UdpLite(X) \
	X(UdpLite, InDatagrams, "network.udplite.indatagrams", P(14, 77), COUNTER, COUNT) \
	X(UdpLite, NoPorts, "network.udplite.noports", P(14, 78), COUNTER, COUNT) \
	X(UdpLite, InErrors, "network.udplite.inerrors", P(14, 79), COUNTER, COUNT) \
	X(UdpLite, OutDatagrams, "network.udplite.outdatagrams", P(14, 80), COUNTER, COUNT) \
	X(UdpLite, RcvbufErrors, "network.udplite.recvbuferrors", P(14, 81), COUNTER, COUNT) \
	X(UdpLite, SndbufErrors, "network.udplite.sndbuferrors", P(14, 82), COUNTER, COUNT) \
	X(UdpLite, InCsumErrors, "network.udplite.incsumerrors", P(14, 84), COUNTER, COUNT) \
	X(UdpLite, IgnoredMulti, "network.udplite.ignoredmulti", P(14, 92), COUNTER, COUNT) \
	X(UdpLite, MemErrors, "network.udplite.memerrors", P(14, 93), COUNTER, COUNT)

/* clang-format on */

#endif
