/** Mistakes around what is sent: the state file, sources, tokens, tenants, names, the page, what is exported. */
import type { UnitMutant } from "./unitMutants.ts"

export const AROUND: ReadonlyArray<UnitMutant> = [
  {
    name: "a state file that was deleted or replaced gets claims",
    caughtBy: ["test/sync/state/Place.test.ts", "a file that was deleted, moved or replaced gets no claim any more"],
    changes: [
      {
        file: "sync/state/FileIdentity.ts",
        from: "if (inode(file) !== opened) {",
        to: "if (opened === undefined && inode(file) !== opened) {"
      }
    ]
  },
  {
    name: "a lock that was deleted or replaced is still held",
    caughtBy: ["test/sync/state/Place.test.ts", "a lock file that was deleted or replaced ends its claims"],
    changes: [
      {
        file: "sync/state/FileLock.ts",
        from: "isHeld: () => inode(path) === own,",
        to: 'isHeld: () => inode(path) === own || own !== "",'
      }
    ]
  },
  {
    name: "an older version of the state file is as good as the last one",
    caughtBy: [
      "test/sync/state/Place.test.ts",
      "an older version that is put back sends nothing until it was compared"
    ],
    changes: [
      {
        file: "sync/state/FileIdentity.ts",
        from: "if (known.length > 0 && (stamp === null || !known.includes(stamp)))\n    return",
        to: "if (known.length > 0 && stamp === undefined)\n    return"
      }
    ]
  },
  {
    name: "a file is the one that it was by its number alone",
    caughtBy: ["test/sync/state/Place.test.ts", "so does one that has the number of the file before it"],
    changes: [
      {
        file: "sync/state/FileIdentity.ts",
        from: " && (one.born === undefined || other.born === undefined || one.born === other.born)",
        to: ""
      }
    ]
  },
  {
    name: "a copy is used beside its original",
    caughtBy: ["test/sync/state/Place.test.ts", "a copy at another path is not used beside its original"],
    changes: [
      {
        file: "sync/state/FileIdentity.ts",
        from: "before.path !== file && isSame(before, at(before.path))",
        to: "before.path === file && isSame(before, at(before.path))"
      }
    ]
  },
  {
    name: "a decision of a tenant is not looked up among what is theirs",
    caughtBy: ["test/cli/Tenants.test.ts", "decides nothing for another"],
    changes: [
      {
        file: "sync/library/Tenant.ts",
        from: "resolve: (id, note) => Effect.flatMap(open(id), unless(whole.resolve(id, note), Effect.succeed(false)))",
        to: "resolve: (id, note) => whole.resolve(id, note)"
      }
    ]
  },
  {
    name: "a tenant sees the rows of all",
    caughtBy: ["test/cli/Tenants.test.ts", "reads nothing of another"],
    changes: [
      {
        file: "sync/state/TenantView.ts",
        from: "const where = condition(name, names, owns)",
        to: 'const where = condition(name, names, owns) && "1"'
      }
    ]
  },
  {
    name: "two tenants open one connection",
    caughtBy: ["test/cli/Tenants.test.ts", "does not get a connection of a name that another has open"],
    changes: [
      {
        file: "sync/library/SharedHandles.ts",
        from: "(open.get(id)?.source ?? source) !== source)",
        to: "(open.get(id)?.source ?? source) === undefined)"
      }
    ]
  },
  {
    name: "a connection of another name is taken for a new one",
    caughtBy: ["test/cli/Renames.long.test.ts", "stops, and with `connections rename` keeps its ledger"],
    changes: [
      {
        file: "sync/plan/SourceBindings.ts",
        from: "if (old !== undefined)\n",
        to: "if (old !== undefined && old === id)\n"
      }
    ]
  },
  {
    name: "a connection may be pointed at another source",
    caughtBy: [
      "test/cli/Renames.long.test.ts",
      "stops before it is read or sent, until a person says that it is meant"
    ],
    changes: [
      {
        file: "sync/plan/SourceBindings.ts",
        from: "  if (what === undefined) return\n",
        to: '  if (what === undefined || what !== "") return\n'
      }
    ]
  },
  {
    name: "a connector that dies ends the whole command",
    caughtBy: ["test/sync/pull/Ingest.test.ts", "its connection fails, and says nothing secret"],
    changes: [
      {
        file: "sync/pull/Ingest.ts",
        from: "Stream.suspend(brought).pipe(\n    Stream.catchCause((cause) => Stream.fail(fails(cause))),",
        to: "Stream.suspend(brought).pipe("
      }
    ]
  },
  {
    name: "ids that are one once they are stored are read",
    caughtBy: ["test/sync/pull/Ingest.test.ts", "that end in half a character: 300 of 600 are quarantined"],
    changes: [
      {
        file: "connectors/Quarantine.ts",
        from: "if (text !== undefined && !text.isWellFormed())",
        to: "if (text !== undefined && text.length < 0)"
      }
    ]
  },
  {
    name: "the control sum counts what became of the keys",
    caughtBy: ["test/sync/pull/Ingest.test.ts", "that became one key all the same show as a difference"],
    changes: [
      {
        file: "sync/books/DocumentStore.ts",
        from: "const same = earlier.id === read.document.id",
        to: "const same = true || earlier.id === read.document.id"
      }
    ]
  },
  {
    name: "amounts finer than their currency are read",
    caughtBy: ["test/sync/pull/Ingest.test.ts", "are quarantined with their record, and nothing of them is cut off"],
    changes: [
      {
        file: "connectors/Quarantine.ts",
        from: "if (currency !== undefined && !Currency.fits(amount, currency))",
        to: 'if (currency === "" && !Currency.fits(amount, currency))'
      }
    ]
  },
  {
    name: "a page with 404 says that a record is gone",
    caughtBy: [
      "test/connectors/contract/http.test.ts",
      "that is a web page with 404 does not say that something is gone"
    ],
    changes: [
      {
        file: "connectors/Judge.ts",
        from: "if ((status === 404 || status === 410) && /^",
        to: "if (status === 410 && /^"
      }
    ]
  },
  {
    name: "a token is asked for before there is room to keep it",
    caughtBy: [
      "test/connectors/contract/vault.long.test.ts",
      "stops before the source is asked for a token that could not be kept"
    ],
    changes: [
      {
        file: "sync/vault/Vault.ts",
        from: "          yield* box.#attempt(() => VaultFile.reserve(db, box.#place.name))\n",
        to: ""
      },
      {
        file: "sync/vault/Vault.ts",
        from: "      box.#alone((db) => box.#attempt(() => void VaultFile.fill(db))),\n",
        to: "      Effect.void,\n"
      }
    ]
  },
  {
    name: "a vault without a byte is an empty one",
    caughtBy: ["test/connectors/contract/vault.long.test.ts", "that was cut off, emptied or changed says so"],
    changes: [
      { file: "sync/vault/VaultFile.ts", from: "if (statSync(file).size === 0)", to: "if (statSync(file).size < 0)" }
    ]
  },
  {
    name: "a box opens beside another state file",
    caughtBy: ["test/connectors/contract/vault.long.test.ts", "does not open beside another state file"],
    changes: [
      {
        file: "sync/vault/Encryption.ts",
        from: "if (its !== undefined && its !== home) {",
        to: 'if (its === "" && its !== home) {'
      }
    ]
  },
  {
    name: "processes change tokens at the same time",
    caughtBy: ["test/connectors/contract/vault.long.test.ts", "are changed by one process at a time"],
    changes: [{ file: "sync/vault/VaultFile.ts", from: 'db.exec("BEGIN EXCLUSIVE")', to: 'db.exec("BEGIN")' }]
  },
  {
    name: "a token lasts by the wall clock",
    caughtBy: ["test/connectors/contract/tokens.test.ts", "goes on while a program runs, whatever the clock is set to"],
    changes: [
      {
        file: "connectors/OAuth.ts",
        from: "      if (known?.access === access && known.expires === expires) return passed < known.until\n",
        to: ""
      }
    ]
  },
  {
    name: "a token that was asked for in the future is used",
    caughtBy: ["test/connectors/contract/tokens.test.ts", "is not known to a later program whose clock is behind"],
    changes: [{ file: "connectors/OAuth.ts", from: "      if (now < asked) return false\n", to: "" }]
  },
  {
    name: "who signs out may come in again with the same cookie",
    caughtBy: ["test/page/Door.long.test.ts", "rejects a cookie after its owner signed out"],
    changes: [
      {
        file: "cli/page/Sessions.ts",
        from: "if (this.#sessions.delete(session)) this.#tell",
        to: "if (this.#tries.delete(session)) this.#tell"
      }
    ]
  },
  {
    name: "the daemon answers under any name",
    caughtBy: ["test/page/Door.long.test.ts", "is rejected, and metrics need their token"],
    changes: [
      {
        file: "cli/daemon/Server.ts",
        from: "|| isKnown(name, host, names())",
        to: '|| name !== ""'
      }
    ]
  },
  {
    name: "a name that is none is the daemon's fault",
    caughtBy: ["test/page/Door.long.test.ts", "that is malformed is answered with 400"],
    changes: [
      {
        file: "cli/daemon/Host.ts",
        from: "if (name === undefined || Number(port) > 65_535) return undefined",
        to: "if (name === undefined || Number(port) > 65_535) return new URL('http://' + header + '/').hostname"
      }
    ]
  },
  {
    name: "a second person's decision overwrites the first one's",
    caughtBy: ["test/sync/decisions/Items.test.ts", "if somebody else decides while it waits"],
    changes: [
      {
        file: "sync/apply/AttentionStore.ts",
        from: '"UPDATE attention SET closed = ?, how = ? WHERE id = ? AND closed IS NULL"',
        to: '"UPDATE attention SET closed = ?, how = ? WHERE id = ?"'
      },
      {
        file: "sync/decisions/Items.ts",
        from: "return found === undefined ? undefined : decide(db, found, now)",
        to: "return decide(db, found ?? ({ id, subject } as AttentionStore.OpenAttention), now)"
      }
    ]
  },
  {
    name: "a sign behind what has no width begins a formula",
    caughtBy: ["test/export/Csv.test.ts", "have no cell that begins like a formula"],
    changes: [{ file: "sync/export/Guard.ts", from: "\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}", to: "\\s" }]
  },
  {
    name: "a cell behind a semicolon is not looked at",
    caughtBy: ["test/export/Csv.test.ts", "have no cell that begins like a formula"],
    changes: [{ file: "sync/export/Guard.ts", from: "(^|[;\\t\\r\\n])", to: "(^|[\\t\\r\\n])" }]
  },
  {
    name: "state files and clients of handles that are closed are kept",
    caughtBy: ["test/cli/Memory.long.test.ts", "keeps nothing of those that are closed"],
    changes: [
      { file: "sync/library/SharedHandles.ts", from: "--one.users === 0 && kept.delete(key)", to: "--one.users === 0" }
    ]
  },
  {
    name: "what was authorised before is gone while it is authorised anew",
    caughtBy: ["test/cli/ConnectKilled.long.test.ts", "keeps what was there or what is new, whole"],
    changes: [
      {
        file: "sync/vault/VaultFile.ts",
        from: 'ON CONFLICT DO UPDATE SET box = box").run(name)',
        to: 'ON CONFLICT DO UPDATE SET box = \'\'").run(name)\n    db.exec("COMMIT; BEGIN EXCLUSIVE")'
      }
    ]
  },
  {
    name: "a key of another account is as good as the first one",
    caughtBy: ["test/sync/state/Account.test.ts", "refuses a key of another account"],
    changes: [
      {
        file: "sync/apply/Account.ts",
        from: "if (before.account !== null) yield* sameAccount(db)",
        to: "if (before.account === undefined) yield* sameAccount(db)"
      }
    ]
  },
  {
    name: "a delivery that could not be kept is answered as if it had been",
    caughtBy: ["test/cli/Hooks.test.ts", "because the disk is full is not taken for kept"],
    changes: [
      {
        file: "cli/daemon/Webhooks.ts",
        from: 'counted(from, "not kept", text(503, "It could not be stored; send it again later.\\n"))',
        to: 'counted(from, "not kept", OK)'
      }
    ]
  }
]
