/** What a fleet consists of. */
import type { ChildProcess } from "node:child_process"

export interface Shape {
  readonly tenants: number
  readonly perRound: number
  readonly every: string
  /** Of each worker. */
  readonly slots: number
}

/** Six tenants, each with twelve new invoices a round. */
export const USUAL: Shape = { tenants: 6, perRound: 12, every: "10 seconds", slots: 2 }
export const SEAL = Buffer.alloc(32, 7).toString("base64")

/** Signals a worker with all of its slots. */
export const signalAll = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // They have ended.
  }
}
