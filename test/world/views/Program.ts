/** What every program for books is to the world: files, or a server on this machine. */
import type { Day } from "../Values.ts"
import type { Answered, Asked } from "./Server.ts"

export interface Program {
  /** What it leaves in the folder by a day. */
  readonly files: (day: Day) => ReadonlyMap<string, string>
  /** How Daybook is told of it. @param explained a person was asked what the column of the invoice has, and said so */
  readonly source: (url: string, explained: boolean) => object
  readonly answers: (asked: Asked, day: Day) => Answered | undefined
}
