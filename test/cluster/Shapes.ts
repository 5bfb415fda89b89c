/** What a fleet consists of: daemons that share a folder, or workers. */
import type { ChildProcess } from "node:child_process"

export interface Shape {
  readonly tenants: number
  readonly perRound: number
  readonly every: string
  /** Not daemons that share a folder, but workers with so many slots, over tenants that were imported. */
  readonly slots?: number
}

/** Nine tenants, each with twelve new invoices a round. */
export const USUAL: Shape = { tenants: 9, perRound: 12, every: "10 seconds" }
/** The same with workers. */
export const WORKERS: Shape = { tenants: 6, perRound: 12, every: "10 seconds", slots: 2 }
export const SEAL = Buffer.alloc(32, 7).toString("base64")

/** Signals a worker with all of its slots. */
export const signalAll = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // They have ended.
  }
}
