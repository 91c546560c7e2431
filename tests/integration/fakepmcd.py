"""fakepmcd.py - a small pmcd that a test can make do anything: a table of metrics, and a hook for each answer."""
import socket
import struct
import threading

ERROR, RESULT, PROFILE, FETCH, DESC_REQ, DESC = 0x7000, 0x7001, 0x7002, 0x7003, 0x7004, 0x7005
INSTANCE_REQ, INSTANCE, TEXT_REQ, TEXT, CREDS, IDS, NAMES, TRAVERSE = 0x7006, 0x7007, 0x7008, 0x7009, 0x700C, 0x700D, 0x700E, 0x7010
LABEL_REQ, LABEL, HIGHRES_FETCH, HIGHRES_RESULT, DESC_IDS, DESCS = 0x7012, 0x7013, 0x7014, 0x7015, 0x7016, 0x7017
NONE = 0xFFFFFFFF
COUNT, BYTE = 0x00100000, 0x10000000


def pdu(kind, body):
    return struct.pack(">III", 12 + len(body), kind, 0) + body


def error(code):
    return pdu(ERROR, struct.pack(">i", code))


def padded(text):
    return struct.pack(">I", len(text)) + text + b"~" * (-len(text) % 4)


class Metric:
    """One metric with one value, or with those of @instances: {number: name}."""

    def __init__(self, pmid, kind=1, sem=3, units=0, value=7, indom=NONE, instances=None):
        self.pmid, self.kind, self.sem, self.units, self.value = pmid, kind, sem, units, value
        self.indom, self.instances = indom, instances

    def desc(self):
        return struct.pack(">IiIiI", self.pmid, self.kind, self.indom, self.sem, self.units)


class Pmcd:
    """@notes: it has help texts and labels. @hook(server, kind, body, answer): what is sent in place of @answer; None: the connection is ended. @metrics: by name, may be replaced at any
    time. @fetches: how many there were."""

    def __init__(self, metrics, hook=None, features=0xE00, host="127.0.0.1", port=0, name="fake.example", notes=False):
        self.metrics, self.hook, self.features, self.name, self.notes = metrics, hook, features, name, notes
        self.fetches = self.connections = 0
        self.stopped = threading.Event()
        self.moved = threading.Condition()
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((host, port))
        self.socket.listen(16)
        self.port = self.socket.getsockname()[1]
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.stopped.is_set():
            try:
                conn, _ = self.socket.accept()
            except OSError:
                return
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.open.append(conn)
            self.connections += 1
            threading.Thread(target=self.serve, args=(conn,), daemon=True).start()

    def drop(self):
        """End what is connected."""
        for conn in self.open:
            try:
                conn.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open = []

    def stop(self):
        self.stopped.set()
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
        self.drop()

    def wait_fetches(self, n, timeout=60):
        with self.moved:
            return self.moved.wait_for(lambda: self.fetches >= n, timeout)

    def read(self, conn, n):
        data = b""
        while len(data) < n:
            more = conn.recv(n - len(data))
            if not more:
                raise OSError("end")
            data += more
        return data

    def send(self, conn, kind, body, answer):
        if self.hook:
            answer = self.hook(self, kind, body, answer)
        if answer is None:
            raise OSError("ended")
        conn.sendall(answer)

    def serve(self, conn):
        try:
            self.send(conn, None, b"", pdu(ERROR, struct.pack(">II", 0, 0x02010000 | self.features)))
            while True:
                size, kind, _ = struct.unpack(">III", self.read(conn, 12))
                body = self.read(conn, size - 12)
                if kind in (FETCH, HIGHRES_FETCH):
                    with self.moved:
                        self.fetches += 1
                        self.moved.notify_all()
                answer = self.answer(kind, body)
                if answer is not None:
                    self.send(conn, kind, body, answer)
        except OSError:
            pass
        conn.close()

    def named(self):
        host = {"pmcd.hostname": Metric(0x00800015, 6, value=self.name), "pmcd.timezone": Metric(0x00800005, 6, value="XYZ-3")}
        return {**host, **self.metrics}

    def answer(self, kind, body):
        metrics = self.named()
        by_pmid = {m.pmid: m for m in metrics.values()}
        if kind in (CREDS, PROFILE):
            return None
        if kind == NAMES:
            ids, at = [], 12
            for _ in range(struct.unpack(">I", body[8:12])[0]):
                n = struct.unpack(">I", body[at:at + 4])[0]
                name = body[at + 4:at + 4 + n].decode()
                at += 4 + n + -n % 4
                ids.append(metrics[name].pmid if name in metrics else NONE)
            found = sum(i != NONE for i in ids)
            return pdu(IDS, struct.pack(">II%dI" % len(ids), found, len(ids), *ids)) if found else error(-12357)
        if kind == TRAVERSE:
            root = body[8:8 + struct.unpack(">I", body[4:8])[0]].decode()
            names = [n.encode() for n in metrics if root == "" or n == root or n.startswith(root + ".")]
            return pdu(NAMES, struct.pack(">III", 0, 0, len(names)) + b"".join(padded(n) for n in names)) if names else error(-12357)
        if kind == DESC_REQ:
            m = by_pmid.get(struct.unpack(">I", body)[0])
            return pdu(DESC, m.desc()) if m else error(-12358)
        if kind == DESC_IDS:
            n = struct.unpack(">I", body[4:8])[0]
            wanted = struct.unpack(">%dI" % n, body[8:])
            descs = [by_pmid[i].desc() if i in by_pmid else struct.pack(">IiIiI", NONE, 0, 0, 0, 0) for i in wanted]
            return pdu(DESCS, struct.pack(">I", n) + b"".join(descs))
        if kind == INSTANCE_REQ:
            indom = struct.unpack(">I", body[:4])[0]
            there = next((m.instances for m in metrics.values() if m.indom == indom), None)
            if there is None:
                return error(-12359)
            return pdu(INSTANCE, struct.pack(">II", indom, len(there)) + b"".join(struct.pack(">i", i) + padded(n.encode()) for i, n in there.items()))
        if kind == TEXT_REQ and self.notes:
            return pdu(TEXT, body[:4] + padded(b"what it is"))
        if kind == LABEL_REQ and self.notes:
            text = b'{"a":"b"}'
            sets = struct.pack(">iIIIHBBHH", 1 if body[7] == 32 else -1, 1, 52, len(text), 2, 1, 0, 5, 3)
            return pdu(LABEL, body + struct.pack(">II", 0, 1) + sets + text)
        if kind in (FETCH, HIGHRES_FETCH):
            n = struct.unpack(">I", body[12:16])[0]
            return self.values(kind == HIGHRES_FETCH, struct.unpack(">%dI" % n, body[16:]), by_pmid)
        return error(-12349)

    def values(self, highres, wanted, by_pmid):
        import time
        now = time.time_ns()
        head = struct.pack(">IQQ", len(wanted), now // 10**9, now % 10**9) if highres else struct.pack(">III", now // 10**9, now % 10**9 // 1000, len(wanted))
        sets, blocks, patches = b"", b"", []
        for pmid in wanted:
            m = by_pmid.get(pmid)
            if m is None or isinstance(m.value, Exception):
                sets += struct.pack(">Ii", pmid, m.value.args[0] if m else -12386)
                continue
            instances = [-1] if m.instances is None else list(m.instances)
            in_place = m.kind in (0, 1)
            sets += struct.pack(">Iii", pmid, len(instances), 0 if in_place else 1) if instances else struct.pack(">Ii", pmid, 0)
            for i in instances:
                value = m.value[i] if isinstance(m.value, dict) else m.value() if callable(m.value) else m.value
                sets += struct.pack(">i", i)
                if in_place:
                    sets += struct.pack(">I", value & NONE)
                    continue
                patches.append((len(sets), len(blocks)))
                sets += bytes(4)
                data = value.encode() + b"\0" if m.kind == 6 else struct.pack({2: ">q", 3: ">Q", 4: ">f", 5: ">d"}[m.kind], value)
                blocks += struct.pack(">I", m.kind << 24 | 4 + len(data)) + data + b"~" * (-len(data) % 4)
        at = 12 + len(head) + len(sets)
        for where, block in patches:
            sets = sets[:where] + struct.pack(">I", (at + block) // 4) + sets[where + 4:]
        return pdu(HIGHRES_RESULT if highres else RESULT, head + sets + blocks)
