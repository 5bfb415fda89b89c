/** Mistakes in whom the connector `sql` trusts, and in how long anything waits for a source. */
import type { UnitMutant } from "./unitMutants.ts"

const ENCRYPTION = "test/connectors/sql/encryption.long.test.ts"
const SILENCE = "test/connectors/sql/silence.long.test.ts"
const SCHEDULE = "test/sync/schedule/Slow.test.ts"
const HANGING = "test/cli/Hanging.long.test.ts"
const TARGET = "connectors/sql/Target.ts"
const POSTGRES = "connectors/sql/Postgres.ts"
const MYSQL = "connectors/sql/MySql.ts"

export const DATABASES: ReadonlyArray<UnitMutant> = [
  {
    name: "a database on another machine is read without TLS unless its address asks for it",
    caughtBy: [ENCRYPTION, "asks for a certificate that names it"],
    changes: [{ file: TARGET, from: 'proofOf(mode ?? "verify-full")', to: 'proofOf(mode ?? "disable")' }]
  },
  {
    name: "a host whose name begins as this machine's counts as this machine",
    caughtBy: [ENCRYPTION, "asks for a certificate that names it"],
    changes: [{ file: TARGET, from: '(isIP(host) === 4 && host.startsWith("127."))', to: 'host.startsWith("127.")' }]
  },
  {
    name: "another host than the one that is checked is connected to",
    caughtBy: [ENCRYPTION, "of a socket needs no TLS, whatever stands in its place"],
    changes: [{ file: TARGET, from: 'decoded(value(["host"]) ?? url.hostname)', to: "decoded(url.hostname)" }]
  },
  {
    name: "a mode that does not exist switches TLS off",
    caughtBy: [ENCRYPTION, "is refused if it says something else"],
    changes: [
      {
        file: TARGET,
        from: 'if (!Object.hasOwn(MODES, word)) throw new Unusable("says an sslmode that does not exist", CHOICES)',
        to: ""
      }
    ]
  },
  {
    name: "a parameter that is not known is passed over",
    caughtBy: [ENCRYPTION, "is refused if it says something else"],
    changes: [
      { file: TARGET, from: "if (strange !== undefined) {", to: "if (strange === undefined && known.length === 0) {" }
    ]
  },
  {
    name: "PostgreSQL may have the certificate of another host",
    caughtBy: [ENCRYPTION, "only if its certificate proves what the address asks for"],
    changes: [
      { file: POSTGRES, from: '(tls.proves === "host" ? checkServerIdentity(host, cert) : undefined)', to: "undefined" }
    ]
  },
  {
    name: "MySQL at a number may have the certificate of localhost",
    caughtBy: [ENCRYPTION, "only if its certificate proves what the address asks for"],
    changes: [{ file: MYSQL, from: "Object.assign(socket, { _host: host })", to: "socket" }]
  },
  {
    name: "whoever answers as PostgreSQL gets the password as it is",
    caughtBy: [ENCRYPTION, "does not get the password of PostgreSQL as it is"],
    changes: [{ file: POSTGRES, from: "  if (guarded)\n", to: "  if (!guarded)\n" }]
  },
  {
    name: "whoever answers as MySQL gets the password for a key of theirs",
    caughtBy: [ENCRYPTION, "does not get the password of MySQL"],
    changes: [{ file: MYSQL, from: "...(guarded ? {", to: "...(!guarded ? {" }]
  },
  {
    name: "a database that falls silent is waited for",
    caughtBy: [SILENCE, "fails what waits for it, and is let go"],
    changes: [
      { file: "connectors/sql/Silence.ts", from: "else if (++this.#still >= PARTS)", to: "else if (this.#still < 0)" }
    ]
  },
  {
    name: "a database sends a row without an end",
    caughtBy: [SILENCE, "is let go before it fills the memory"],
    changes: [{ file: "connectors/sql/Silence.ts", from: "this.#began > most", to: "this.#began > most * 1000" }]
  },
  {
    name: "rows that keep coming count as silence",
    caughtBy: [SILENCE, "is read as long as it keeps answering"],
    changes: [
      {
        file: "connectors/sql/Silence.ts",
        from: "this.#waiting === 0 || bytesRead !== this.#read",
        to: "this.#waiting === 0"
      }
    ]
  },
  {
    name: "a stream of MySQL does not hear that its connection ended",
    caughtBy: [SILENCE, "falls silent amid the rows"],
    changes: [{ file: MYSQL, from: "void rows?.destroy(error))", to: "void error)" }]
  },
  {
    name: "a database is not let go when nobody waits any more",
    caughtBy: [SILENCE, "is let go as soon as nobody waits any more"],
    changes: [{ file: "connectors/sql/Sql.ts", from: "        end.abort()\n", to: "" }]
  },
  {
    name: "a run whose source hangs keeps its slot",
    caughtBy: [SCHEDULE, "whose sources hang keep no others waiting"],
    changes: [{ file: "sync/schedule/RunSlots.ts", from: "      yield* lend\n", to: "" }]
  },
  {
    name: "runs that lent their slots send without one",
    caughtBy: [SCHEDULE, "send only as many at once as are allowed"],
    changes: [{ file: "sync/schedule/RunSlots.ts", from: "(isHeld ? exit : Effect.andThen(take, exit))", to: "exit" }]
  },
  {
    name: "a run may take for ever",
    caughtBy: [SCHEDULE, "are given up in the end"],
    changes: [
      {
        file: "sync/schedule/Limit.ts",
        from: "Effect.timeoutOption(Fiber.await(running), milliseconds)",
        to: "Effect.asSome(Fiber.await(running))"
      }
    ]
  },
  {
    name: "a run that cannot be interrupted is waited for",
    caughtBy: [SCHEDULE, "that let nobody interrupt them are left behind"],
    changes: [
      {
        file: "sync/schedule/Limit.ts",
        from: "Effect.interruptible(Effect.timeoutOption(Fiber.interrupt(running), LETS_GO_MS))",
        to: "Fiber.interrupt(running)"
      }
    ]
  },
  {
    name: "a connector that never lets go keeps the program from ending",
    caughtBy: [HANGING, "ends although its connector never lets go"],
    changes: [{ file: "cli/main.ts", from: "    leaveAfter(STOPS_MS)\n", to: "" }]
  }
]
