/** What a world is made of, and how it is synced. */
import { HttpClient } from "effect/http"
import type { Connector } from "../../connectors/Connector.ts"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import type { Windows } from "../../core/sandbox/rules/States.ts"
import type { SendingOptions } from "../../sync/apply/Report.ts"
import type { Connection, Planning } from "../../sync/model/Connection.ts"
import type { Database } from "../../sync/state/Database.ts"
import type { Dice } from "../simulation/Dice.ts"
import type { Foreign } from "../simulation/Moves.ts"
import type { World } from "./World.ts"

/** What every step of a dead process comes to. */
export class Killed extends Error {}

type Db = Database["Service"]

/** A program that keeps its promises, or one with a known mistake that the checks must find. */
export type Wrap = (db: Db, world: World) => Db

export interface WorldOptions {
  readonly planning?: Planning
  /** Whether a fault strikes the request that is about to leave. */
  readonly fault?: (method: string, path: string) => Omit<Fault, "id"> | Foreign | undefined
  /** A request leaves, of whichever process. */
  readonly leaves?: (method: string, path: string) => void
  readonly wrap?: Wrap
  /** How long a policy of the service is late before it can be handed over, and how long it then can be. */
  readonly windows?: Partial<Windows>
  /** Another machine with books of its own, at the same service and the same time. */
  readonly beside?: World
  /** Pages of any size, some of them delivered twice. */
  readonly dice?: Dice
  /** A connector of its own in place of the source in memory, and who answers it. */
  readonly source?: { readonly connection: Connection; readonly client: HttpClient.HttpClient }
  /** Reads what the source holds, in place of a connector that reads `documents` whole. */
  readonly connector?: Connector
  /** A second connection, `debits`, pays the invoices of the first: its connector, or true where `payments` are read whole. */
  readonly pays?: Connector | true
}

/** The same network, of which the test hears what leaves. */
export const heardBy = ({ leaves }: WorldOptions, inner: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.make((request, url) => {
    leaves?.(request.method, url.pathname)
    return inner.execute(request)
  })

export interface SyncOptions extends SendingOptions {
  /** Sends what the books hold although the source could not be read to its end. */
  readonly evenSo?: boolean
  /** Asks the service whether it knows more than the state file, as a command does behind its pull. */
  readonly guarded?: boolean
  /** The connections that are read, by id and in this order; all of them unless said. */
  readonly reads?: ReadonlyArray<string>
}
