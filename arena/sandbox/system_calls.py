"""Numbers of the system calls that our filters speak of, on the machines they are written for.

From Linux's ``arch/x86/entry/syscalls/syscall_64.tbl`` and ``include/uapi/asm-generic/unistd.h``,
which is what aarch64 uses. A number never changes its meaning.
"""

from __future__ import annotations

__all__ = ["AARCH64", "X86_64", "YOUNGEST", "number"]

X86_64 = "x86_64"
AARCH64 = "aarch64"
YOUNGEST = 456  # futex_requeue, Linux 6.7: what came later no filter here has looked at

# name, number on x86_64 and on aarch64, which never had those that a newer call replaces
_TABLE = """
acct 163 89                      keyctl 250 219                   quotactl 179 60
add_key 248 217                  kill 62 129                      quotactl_fd 443 443
bind 49 200                      lchown 94 -                      reboot 169 142
bpf 321 280                      lgetxattr 192 9                  removexattr 197 14
chmod 90 -                       listxattr 194 11                 request_key 249 218
chown 92 -                       llistxattr 195 12                rt_sigqueueinfo 129 138
chroot 161 51                    lookup_dcookie 212 18            rt_tgsigqueueinfo 297 240
clock_adjtime 305 266            lremovexattr 198 15              sched_setaffinity 203 122
clock_settime 227 112            lsetxattr 189 6                  sched_setattr 314 274
clone 56 220                     mbind 237 235                    sched_setparam 142 118
clone3 435 435                   migrate_pages 256 238            sched_setscheduler 144 119
connect 42 203                   modify_ldt 154 -                 semctl 66 191
delete_module 176 106            mount 165 40                     semget 64 190
fanotify_init 300 262            mount_setattr 442 442            semop 65 193
fanotify_mark 301 263            move_mount 429 429               semtimedop 220 192
fchmod 91 52                     move_pages 279 239               set_mempolicy 238 237
fchmodat 268 53                  mq_getsetattr 245 185            set_mempolicy_home_node 450 450
fchmodat2 452 452                mq_notify 244 184                setdomainname 171 162
fchown 93 55                     mq_open 240 180                  sethostname 170 161
fchownat 260 54                  mq_timedreceive 243 183          setns 308 268
fcntl 72 25                      mq_timedsend 242 182             setpriority 141 140
fgetxattr 193 10                 mq_unlink 241 181                settimeofday 164 170
finit_module 313 273             msgctl 71 187                    setxattr 188 5
flistxattr 196 13                msgget 68 186                    shmat 30 196
fremovexattr 199 16              msgrcv 70 188                    shmctl 31 195
fsconfig 431 431                 msgsnd 69 189                    shmdt 67 197
fsetxattr 190 7                  name_to_handle_at 303 264        shmget 29 194
fsmount 432 432                  open 2 -                         socket 41 198
fsopen 430 430                   open_by_handle_at 304 265        socketpair 53 199
fspick 433 433                   open_tree 428 428                swapoff 168 225
futimesat 261 -                  openat 257 56                    swapon 167 224
getxattr 191 8                   openat2 437 437                  syslog 103 116
init_module 175 105              perf_event_open 298 241          tgkill 234 131
inotify_add_watch 254 27         personality 135 92               tkill 200 130
io_uring_enter 426 426           pidfd_getfd 438 438              truncate 76 45
io_uring_register 427 427        pidfd_send_signal 424 424        umount2 166 39
io_uring_setup 425 425           pivot_root 155 41                unshare 272 97
ioctl 16 29                      prctl 157 167                    userfaultfd 323 282
ioperm 173 -                     prlimit64 302 261                utime 132 -
iopl 172 -                       process_madvise 440 440          utimensat 280 88
ioprio_set 251 30                process_mrelease 448 448         utimes 235 -
kcmp 312 272                     process_vm_readv 310 270         vhangup 153 58
kexec_file_load 320 294          process_vm_writev 311 271
kexec_load 246 104               ptrace 101 117
"""
_WORDS = _TABLE.split()
_NUMBERS = {
    name: {X86_64: x86_64, AARCH64: aarch64}
    for name, x86_64, aarch64 in zip(_WORDS[::3], _WORDS[1::3], _WORDS[2::3], strict=True)
}


def number(call: str, machine: str) -> int | None:
    """Return a call's number on a machine, ``None`` if that machine never had it."""
    word = _NUMBERS[call][machine]
    return None if word == "-" else int(word)
