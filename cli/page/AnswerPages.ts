/** The thread's side of `ThreadOfPages.ts`: opens the state file to read, answers, and closes it. */
import { Effect, Result } from "effect"
import { parentPort } from "node:worker_threads"
import { messageOf } from "../../sync/library/Exit.ts"
import * as Customers from "../../sync/reports/Customers.ts"
import * as CustomerStatement from "../../sync/reports/CustomerStatement.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import { Database, type StateError } from "../../sync/state/Database.ts"
import { quarantined } from "../remote/OnePage.ts"
import { answerLook } from "./Rendered.ts"
import type { PagesAnswer, PagesQuestion, PagesWork } from "./ThreadOfPages.ts"

const answered = (question: PagesQuestion): Effect.Effect<unknown, StateError, Database> =>
  Effect.flatMap(Database, (db): Effect.Effect<unknown, StateError, Database> => {
    switch (question.type) {
      case "page":
        return answerLook(question.look, question.around)
      case "customers":
        return db.snapshot(() => Customers.customers(db, ...question.of))
      case "documents":
        return db.snapshot(() => Dashboard.documentsOf(db, ...question.of))
      case "quarantine":
        return db.snapshot(() => quarantined(db, ...question.of))
      case "debtor":
        return db.snapshot(() => Debtors.find(db, question.connection, question.party))
      case "statement":
        return CustomerStatement.statementPdf(...question.of)
      case "debtors":
        return db.snapshot(() => question.connections.flatMap((id) => Debtors.list(db, id)))
    }
  })

/** The bytes of a file, which are handed over: to copy them would take as long as they are many. */
const buffersOf = (answer: PagesAnswer): Array<ArrayBuffer> =>
  "value" in answer && typeof answer.value === "object"
    ? Object.values(answer.value ?? {}).flatMap((one) =>
        one instanceof Uint8Array && one.buffer instanceof ArrayBuffer && one.byteLength === one.buffer.byteLength
          ? [one.buffer]
          : []
      )
    : []

export const answerPages = (): void => {
  parentPort?.on("message", async ({ file, only, question }: PagesWork) => {
    const result = await Effect.runPromise(
      answered(question).pipe(Effect.provide(Database.layer({ file, mode: "read", only })), Effect.result)
    )
    const answer: PagesAnswer = Result.isSuccess(result)
      ? { value: result.success }
      : { why: messageOf(result.failure) }
    parentPort?.postMessage(answer, buffersOf(answer))
  })
}
