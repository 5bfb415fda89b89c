/**
 * For `node --import`: every clock of the process stands still while it is stopped (SIGSTOP), as those of a virtual machine do that is
 * frozen and goes on where it was. No program can know then how long that was. With `?monotonic` only the monotonic clock does, as on Linux
 * while a machine is suspended.
 */
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"

/** Whoever stood still for so long was stopped. Nanoseconds. */
const STOPPED = 1_500_000_000n

const isSuspended = new URL(import.meta.url).search === "?monotonic"

const { hrtime } = process
const real = {
  bigint: hrtime.bigint.bind(hrtime),
  now: Date.now,
  performance: performance.now.bind(performance),
  uptime: os.uptime
}
let seen = real.bigint()
let stood = 0n

const stoodStill = (): bigint => {
  const now = real.bigint()
  if (now - seen > STOPPED) stood += now - seen
  seen = now
  return stood
}
setInterval(stoodStill, 50).unref()

hrtime.bigint = () => {
  const still = stoodStill()
  return real.bigint() - still
}
performance.now = () => real.performance() - Number(stoodStill()) / 1e6
if (!isSuspended) {
  Date.now = () => real.now() - Number(stoodStill() / 1_000_000n)
  os.uptime = () => real.uptime() - Number(stoodStill()) / 1e9
}
syncBuiltinESMExports()
