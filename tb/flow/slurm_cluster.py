"""A Slurm of two nodes on this machine: munged, slurmctld and two slurmd on the loopback interface, all in one folder."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")


def missing():
    """Programs that are not installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [p for p in PROGRAMS if not shutil.which(p, path=path)]


def cannot_run():
    """Why a cluster with a job does not work on this machine (no rights, no ports, an unknown host name); None if it does."""
    with tempfile.TemporaryDirectory(prefix="warpsieve-slurm-") as folder:
        try:
            with Cluster(Path(folder) / "cluster") as cluster:
                job = Path(folder) / "job"
                job.write_text(f"#!/bin/sh\n#SBATCH --output={folder}/out\ntouch {folder}/ran\n")
                sent = cluster.call("sbatch", "--job-name=warpsieve", str(job))
                if sent.returncode != 0:
                    return sent.stderr.strip()
                cluster.wait_for((Path(folder) / "ran").exists, "a job ran", 60)
        except (OSError, RuntimeError) as error:
            return str(error)
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    """Use it with `with`; `env` makes Slurm's commands talk to it."""

    def __init__(self, folder, cpus=2):
        self.folder = Path(folder)
        self.env = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                        PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        self.daemons = {}
        self.cpus = cpus

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.__exit__()
            raise

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("munge", "state", "spool-n1", "spool-n2", "log"):
            (self.folder / name).mkdir(mode=0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        control, one, two = free_ports(3)
        host = socket.gethostname().split(".")[0]
        # MailProg: there is no mail here. No cgroups, no accounting: nothing but the processes themselves.
        (self.folder / "slurm.conf").write_text(f"""ClusterName=warpsieve
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser={'root' if os.getuid() == 0 else os.environ.get('USER', 'nobody')}
SlurmdUser={'root' if os.getuid() == 0 else os.environ.get('USER', 'nobody')}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket,cred_expire=10
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool-%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld
SlurmdLogFile={self.folder}/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=defer,sched_interval=2,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MailProg=/bin/true
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
InactiveLimit=0
MpiDefault=none
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname={host} Port={one} CPUs={self.cpus} RealMemory=100 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname={host} Port={two} CPUs={self.cpus} RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
""")
        # A daemon looks for a cgroup filesystem unless it is told which kind; nothing here uses one, and containers may
        # have none.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        munge = self.folder / "munge"
        self.spawn("munged", ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket",
                              f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"])
        self.wait_for(lambda: (munge / "socket").exists(), "munged", 20)
        self.spawn("slurmctld", ["slurmctld", "-D", "-c"])
        for node in ("n1", "n2"):
            self.start_node(node)
        self.wait_for(lambda: self.idle_nodes() == 2, "two idle nodes", 60)
        return self

    def start_node(self, node):
        self.spawn(node, ["slurmd", "-D", "-N", node])

    def spawn(self, name, words):
        with open(self.folder / "log" / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(words, env=self.env, stdout=out, stderr=out, start_new_session=True)

    def kill(self, name):
        """As if it crashed; only the daemon, not the processes of its jobs."""
        self.daemons[name].kill()
        self.daemons.pop(name).wait()

    def idle_nodes(self):
        result = self.call("sinfo", "--noheader", "--Node", "--format=%T")
        return sum(1 for line in result.stdout.split() if line == "idle")

    def call(self, *words):
        return subprocess.run(words, env=self.env, capture_output=True, text=True, check=False)

    def wait_for(self, condition, what, seconds):
        end = time.monotonic() + seconds
        while not condition():
            dead = [name for name, p in self.daemons.items() if p.poll() is not None]
            if dead or time.monotonic() > end:
                logs = "\n".join(f"== {p.name}\n{p.read_text(errors='replace')[-1500:]}"
                                 for p in sorted((self.folder / "log").glob("*")))
                raise RuntimeError(f"{what}: " + (f"{dead} ended" if dead else f"not after {seconds} s") + "\n" + logs)
            time.sleep(0.1)

    def __exit__(self, *_):
        if "slurmctld" in self.daemons:
            self.call("scancel", "--signal=KILL", "--state=RUNNING", "--name=warpsieve")
            self.call("scancel", "--name=warpsieve")
        for name in ("n1", "n2", "slurmctld", "munged"):
            process = self.daemons.pop(name, None)
            if not process:
                continue
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
