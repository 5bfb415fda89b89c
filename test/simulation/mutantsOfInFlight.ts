/** Mistakes in how many calls are claimed and sent at once, in how a run ends that has some, and in what changes meanwhile. */
import type { UnitMutant } from "./unitMutants.ts"

export const IN_FLIGHT: ReadonlyArray<UnitMutant> = [
  {
    name: "a daemon that is asked to stop closes its state file before its runs have ended",
    caughtBy: ["test/cli/Stop.long.test.ts", "the next one begins with what was cut off"],
    changes: [
      {
        file: "sync/schedule/Scheduler.ts",
        from: "run: Effect.scoped(Effect.raceFirst(this.#loop(), Deferred.await(this.#fatal))),",
        to: "run: Effect.raceFirst(this.#loop(), Deferred.await(this.#fatal)) as never,"
      }
    ]
  },
  {
    name: "a document is planned again in the run in which one of its calls ended unknown",
    caughtBy: ["test/sync/apply/OtherWriter.test.ts", "is not suspected of what this one sent without an answer"],
    changes: [{ file: "sync/apply/Worker.ts", from: "void this.#held.add(job.plan.subject)", to: "undefined" }]
  },
  {
    name: "more calls are in flight than the limit allows",
    caughtBy: ["test/sync/apply/InFlight.test.ts", "stay within the limit"],
    changes: [
      { file: "sync/apply/InFlight.ts", from: "if (this.#free === 0) return", to: "if (this.#free < -9) return" }
    ]
  },
  {
    name: "a claimed call is sent although the run was stopped",
    caughtBy: ["test/sync/apply/InFlight.test.ts", "are not sent if the run stops first"],
    changes: [
      {
        file: "sync/apply/InFlight.ts",
        from: "if ((yield* Ref.get(stopped)) !== undefined) return yield* withdraw(id)",
        to: "if ((yield* Ref.get(stopped)) !== undefined) return true"
      }
    ]
  },
  {
    name: "a claimed call that was interrupted has no receipt",
    caughtBy: ["test/sync/apply/InFlight.test.ts", "are not sent if they are interrupted first"],
    changes: [
      {
        file: "sync/apply/InFlight.ts",
        from: "Effect.onInterrupt(() => Effect.ignore(this.#withdraw(id)))",
        to: "Effect.onInterrupt(() => Effect.void)"
      }
    ]
  },
  {
    name: "a claimed call is sent after a long wait although its document changed",
    caughtBy: ["test/sync/apply/InFlight.test.ts", "are checked again after a long wait"],
    changes: [
      {
        file: "sync/apply/InFlight.ts",
        from: "const current = isCurrent(db, job)",
        to: "const current = isCurrent(db, job) || id > 0"
      }
    ]
  },
  {
    // Two things keep it right, each of them alone: the mark is taken off at its count, and only if it is still that one.
    name: "settle a document though it changed while its plan was carried out",
    caughtBy: ["test/sync/apply/Meanwhile.test.ts", "a payment of another connection is sent by the next run"],
    changes: [
      {
        file: "sync/apply/Job.ts",
        from: "ChangedDocuments.count(db, plan.subject) === plan.changes &&",
        to: '(plan.changes >= 0 || db.file === "") &&'
      },
      {
        file: "sync/books/ChangedDocuments.ts",
        from: `"DELETE FROM changed WHERE subject = ? AND n = ?").run(subject, count)`,
        to: `"DELETE FROM changed WHERE subject = ? AND ? >= 0").run(subject, count)`
      }
    ]
  },
  {
    name: "a transaction is created again although the service has it under a new id",
    caughtBy: ["test/sync/reconciliation/Audit.test.ts", "takes over the one that replaced it"],
    changes: [
      {
        file: "sync/reconciliation/Audit.ts",
        from: "const other = mended ? auditor.#others.get(subject) : undefined",
        to: "const other = mended ? auditor.#others.get(connection.id) : undefined"
      }
    ]
  },
  {
    name: "a call that the last check stops is sent",
    caughtBy: ["test/sync/apply/LastCheck.test.ts", "stops the document, and counts"],
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: "cannot || broken !== undefined",
        to: "cannot || broken === null"
      }
    ]
  },
  {
    name: "a movement is reported on an invoice twice",
    caughtBy: ["test/sync/apply/LastCheck.test.ts", "and no payment be sent twice"],
    changes: [
      {
        file: "sync/apply/LastCheck.ts",
        from: "find(({ key }) => key === posting.key)",
        to: "find(({ id }) => id === posting.key)"
      }
    ]
  },
  {
    name: "more is captured, voided or refunded than is left",
    caughtBy: ["test/sync/apply/LastCheck.test.ts", "keeps captured, voided, expired and open together"],
    changes: [{ file: "sync/apply/LastCheck.ts", from: "amount >= 0n && amount <= of", to: "amount >= 0n && of >= 0n" }]
  },
  {
    name: "more goes back than was received",
    caughtBy: ["test/sync/apply/LastCheck.test.ts", "lets no more go back than was received"],
    changes: [{ file: "sync/apply/LastCheck.ts", from: "received + posting.amount >= 0n", to: "received >= 0n" }]
  }
]
