/** Reads the orders in the ledger from the service and compares them. Part of the audit (`Audit.ts`). */
import { Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { DeferredPaymentReader } from "../apply/DeferredPaymentReader.ts"
import type { Connection } from "../model/Connection.ts"
import { withPayment } from "../model/RemoteOrder.ts"
import * as Facts from "../plan/Facts.ts"
import * as PaymentHolders from "../plan/PaymentHolders.ts"
import type { StateError, Db } from "../state/Database.ts"
import { type AuditContext, NOT_KNOWN } from "./AuditReport.ts"
import * as Difference from "./Difference.ts"

const ELSEWHERE = "check with the service's operator which account it belongs to"
const DOUBLED = "another order of these books holds it: see what needs attention"

export const audit = (
  db: Db,
  reader: DeferredPaymentReader,
  { connection, row: { subject } }: { readonly row: Facts.RemoteRow; readonly connection: Connection },
  context: AuditContext
): Effect.Effect<void, StateError | ServiceError> =>
  Effect.gen(function* () {
    const { order, remote } = yield* db.read(() => ({
      order: Facts.orderFacts(db, subject).order,
      remote: Facts.remoteOrder(db, subject)
    }))
    if (remote === undefined || !context.within(order?.placed)) return
    const reading = yield* reader.again(remote)
    context.count()
    const { payment } = reading
    const apart = Difference.orderDifferences(remote, reading)
    if (apart.length === 0) return
    const isHeld = payment !== undefined && (yield* db.read(() => PaymentHolders.isHeld(db, subject, payment)))
    const mended =
      payment !== undefined && (yield* context.fix(connection, subject, withPayment(remote, payment, remote.number)))
    const todo = context.isHeld(subject) ? NOT_KNOWN : !reading.known ? ELSEWHERE : isHeld ? DOUBLED : undefined
    for (const one of apart) {
      yield* context.found(connection.id, subject, { ...one, mended, ...(todo === undefined ? {} : { todo }) })
    }
  })
