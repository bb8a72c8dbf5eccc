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
acct 163 89                      ioprio_get 252 31                pwritev2 328 287
add_key 248 217                  ioprio_set 251 30                quotactl 179 60
bind 49 200                      kcmp 312 272                     quotactl_fd 443 443
bpf 321 280                      kexec_file_load 320 294          reboot 169 142
cachestat 451 451                kexec_load 246 104               removexattr 197 14
chmod 90 -                       keyctl 250 219                   request_key 249 218
chown 92 -                       kill 62 129                      rt_sigqueueinfo 129 138
chroot 161 51                    lchown 94 -                      rt_tgsigqueueinfo 297 240
clock_adjtime 305 266            lgetxattr 192 9                  sched_getaffinity 204 123
clock_getres 229 114             listxattr 194 11                 sched_getattr 315 275
clock_gettime 228 113            llistxattr 195 12                sched_getparam 143 121
clock_nanosleep 230 115          lookup_dcookie 212 18            sched_getscheduler 145 120
clock_settime 227 112            lremovexattr 198 15              sched_rr_get_interval 148 127
clone 56 220                     lsetxattr 189 6                  sched_setaffinity 203 122
clone3 435 435                   madvise 28 233                   sched_setattr 314 274
connect 42 203                   mbind 237 235                    sched_setparam 142 118
delete_module 176 106            memfd_secret 447 447             sched_setscheduler 144 119
fadvise64 221 223                migrate_pages 256 238            semctl 66 191
fallocate 285 47
fanotify_init 300 262            mincore 27 232                   semget 64 190
fanotify_mark 301 263            modify_ldt 154 -                 semop 65 193
fchmod 91 52                     mount 165 40                     semtimedop 220 192
fchmodat 268 53                  mount_setattr 442 442            sendfile 40 71
fchmodat2 452 452                move_mount 429 429               set_mempolicy 238 237
fchown 93 55                     move_pages 279 239               set_mempolicy_home_node 450 450
fchownat 260 54                  mq_getsetattr 245 185            setdomainname 171 162
fcntl 72 25                      mq_notify 244 184                sethostname 170 161
fgetxattr 193 10                 mq_open 240 180                  setns 308 268
finit_module 313 273             mq_timedreceive 243 183          setpriority 141 140
flistxattr 196 13                mq_timedsend 242 182             settimeofday 164 170
flock 73 32                      mq_unlink 241 181                setxattr 188 5
fremovexattr 199 16              msgctl 71 187                    shmat 30 196
fsconfig 431 431                 msgget 68 186                    shmctl 31 195
fsetxattr 190 7                  msgrcv 70 188                    shmdt 67 197
fsmount 432 432                  msgsnd 69 189                    shmget 29 194
fsopen 430 430                   name_to_handle_at 303 264        socket 41 198
fspick 433 433                   open 2 -                         socketpair 53 199
futimesat 261 -                  open_by_handle_at 304 265        splice 275 76
getpgid 121 155                  open_tree 428 428                swapoff 168 225
getpriority 140 141              openat 257 56                    swapon 167 224
getsid 124 156                   openat2 437 437                  syslog 103 116
getxattr 191 8                   perf_event_open 298 241          tee 276 77
init_module 175 105              personality 135 92               tgkill 234 131
inotify_add_watch 254 27         pidfd_getfd 438 438              timer_create 222 107
inotify_init 253 -               pidfd_send_signal 424 424        tkill 200 130
inotify_init1 294 26             pivot_root 155 41                truncate 76 45
io_setup 206 0                   prctl 157 167                    umount2 166 39
io_submit 209 2                  preadv2 327 286                  unshare 272 97
io_uring_enter 426 426           prlimit64 302 261                userfaultfd 323 282
io_uring_register 427 427        process_madvise 440 440          utime 132 -
io_uring_setup 425 425           process_mrelease 448 448         utimensat 280 88
ioctl 16 29                      process_vm_readv 310 270         utimes 235 -
ioperm 173 -                     process_vm_writev 311 271        vhangup 153 58
iopl 172 -                       ptrace 101 117                   vmsplice 278 75
"""
_WORDS = _TABLE.split()
_NUMBERS = {
    name: {X86_64: x86_64, AARCH64: aarch64}
    for name, x86_64, aarch64 in zip(_WORDS[::3], _WORDS[1::3], _WORDS[2::3], strict=True)
}


def number(call: str, machine: str) -> int | None:
    """Return a call's number on a machine, ``None`` if that machine never had it."""
    assert call in _NUMBERS, f"system_calls._TABLE has no system call {call!r}"
    word = _NUMBERS[call][machine]
    return None if word == "-" else int(word)
