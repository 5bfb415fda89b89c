/** Mistakes in running many tenants in one process. */
import type { UnitMutant } from "./unitMutants.ts"

const DECISIONS = "test/sync/tenants/Decisions.test.ts"
const POOL = "test/sync/tenants/Pool.test.ts"
const MANY = "test/sync/tenants/ManyTenants.test.ts"
const DAEMON = "test/cli/TenantsDaemon.test.ts"
const HANG_UP = "test/cli/TenantsHangUp.test.ts"

const BOUNDS = "test/security/TenantBounds.test.ts"

const SIZE = "test/security/TenantSize.test.ts"

export const TENANTS: ReadonlyArray<UnitMutant> = [
  {
    name: "a tenant's configuration is read however many connections it has",
    caughtBy: [SIZE, "of many connections, or of many kilobytes"],
    changes: [{ file: "sync/library/config/Largest.ts", from: "bounds !== undefined && Array", to: "false && Array" }]
  },
  {
    name: "the control interface of a drill's service asks for no key",
    caughtBy: ["test/core/sandbox/Control.test.ts", "lets nobody without one of its keys"],
    changes: [{ file: "core/sandbox/server/Instance.ts", from: "if (this.#guarded &&", to: "if (false &&" }]
  },
  {
    name: "SIGHUP ends the daemon of many tenants",
    caughtBy: [HANG_UP, "looks at the folder and its tenants again, and ends nothing"],
    changes: [
      {
        file: "cli/tenants/TenantsMain.ts",
        from: "    yield* Effect.forkScoped(rereading(all, files, configuration))\n",
        to: ""
      }
    ]
  },
  {
    name: "a tenant's configuration loads a connector that the operator has not allowed",
    caughtBy: [BOUNDS, "names connectors of this program"],
    changes: [
      {
        file: "sync/library/ConnectorRegistry.ts",
        from: "await one(name, folder, bounds)",
        to: "await one(name, folder, undefined)"
      }
    ]
  },
  {
    name: "a pinned connector is loaded whatever its file says",
    caughtBy: [BOUNDS, "names connectors of this program"],
    changes: [
      { file: "sync/library/PinnedConnectors.ts", from: "if (has !== digest", to: "if (false && has !== digest" }
    ]
  },
  {
    name: "a tenant reads another tenant's file by a link in its folder",
    caughtBy: [BOUNDS, "reads files of its own folder"],
    changes: [{ file: "connectors/Confined.ts", from: "return realpathSync(path)", to: "return path" }]
  },
  {
    name: "a tenant's source has the daemon's password",
    caughtBy: [BOUNDS, "uses no secret that the daemon keeps"],
    changes: [
      {
        file: "sync/library/config/BoundsProblems.ts",
        from: "if (daemon.has(name) || isSeal(name))",
        to: "if (isSeal(name))"
      }
    ]
  },
  {
    name: "a tenant's source leads to this network",
    caughtBy: [BOUNDS, "leads to no address of this network"],
    changes: [
      {
        file: "sync/library/config/BoundsProblems.ts",
        from: "  if (privateAddresses) return []",
        to: '  if (privateAddresses || file !== "") return []'
      }
    ]
  },
  {
    name: "a stranger hears which tenants there are, and what is wrong with them",
    caughtBy: [DAEMON, "tells strangers the same of every name"],
    changes: [
      {
        file: "cli/tenants/TenantRoutes.ts",
        from: "given) === undefined) return UNAUTHORIZED",
        to: "given) === undefined && name === '') return UNAUTHORIZED"
      }
    ]
  },
  {
    name: "one that is in use is closed for another",
    caughtBy: [DECISIONS, "is never one that is in use"],
    changes: [{ file: "sync/tenants/Residents.ts", from: "if (one.users === 0 && (oldest", to: "if ((oldest" }]
  },
  {
    name: "a tenant takes all places that there are",
    caughtBy: [DECISIONS, "leaves a tenant with half of the slots at most"],
    changes: [{ file: "sync/tenants/Turns.ts", from: " / 2))", to: " / 1))" }]
  },
  {
    name: "who has a turn under way goes before who waits for the first",
    caughtBy: [DECISIONS, "is who has none under way and is due longest"],
    changes: [{ file: "sync/tenants/Turns.ts", from: "? a.running < b.running", to: "? a.running > b.running" }]
  },
  {
    name: "slow sources keep the places that others wait for",
    caughtBy: [POOL, "four slow sources keep nobody waiting"],
    changes: [{ file: "sync/tenants/Turns.ts", from: "    this.#held.quick--\n    this.#held.slow++\n", to: "" }]
  },
  {
    name: "a pool opens more than may be open",
    caughtBy: [POOL, "is bounded whatever many do at once"],
    changes: [
      { file: "sync/tenants/Pool.ts", from: "if (this.#entries.size < this.#most) {", to: "if (this.#most > 0) {" }
    ]
  },
  {
    name: "what changed stays open as it was",
    caughtBy: [POOL, "opens again what has changed"],
    changes: [
      {
        file: "sync/tenants/Pool.ts",
        from: "if (known.users > 0 || isCurrent",
        to: "if (known.users >= 0 || isCurrent"
      }
    ]
  },
  {
    name: "a system that gives no more files is asked again and again",
    caughtBy: [POOL, "opens fewer from the moment"],
    changes: [
      {
        file: "sync/tenants/Pool.ts",
        from: "if (isExhausted(exit) && (yield* this.#shrink",
        to: "if (false && (yield* this.#shrink"
      }
    ]
  },
  {
    name: "a shard's tenants change places when a shard is added",
    caughtBy: [DECISIONS, "most names keep theirs"],
    changes: [{ file: "sync/tenants/Shard.ts", from: "key >> 33n", to: "key >> 34n" }]
  },
  {
    name: "a paused tenant runs",
    caughtBy: [MANY, "leaves a paused tenant alone"],
    changes: [
      {
        file: "sync/library/many/ManyTenants.ts",
        from: "if (known.paused !== undefined || known.work",
        to: "if (known.work"
      },
      {
        file: "sync/library/many/ManyTenants.ts",
        from: "if (known.paused !== undefined) return Effect.void",
        to: ""
      }
    ]
  },
  {
    name: "a tenant that met what nobody thought of is never due again",
    caughtBy: [MANY, "whatever is wrong with it"],
    changes: [
      {
        file: "sync/library/many/ManyTenants.ts",
        from: "Cause.hasInterrupts(cause)\n              ?",
        to: "Cause.hasInterrupts(cause) || cause.reasons.length > 0\n              ?"
      }
    ]
  },
  {
    name: "a tenant is in its new place before it has left the old one",
    caughtBy: [MANY, "goes on with a move that was cut off"],
    changes: [
      {
        file: "sync/library/many/TenantChanges.ts",
        from: "        renameSync(path, to)\n",
        to: "        cpSync(path, to, { recursive: true })\n"
      }
    ]
  },
  {
    name: "every shard runs every tenant",
    caughtBy: [MANY, "runs only the tenants of its shard"],
    changes: [
      {
        file: "sync/library/many/TenantsOfFolder.ts",
        from: "shard === undefined || shardOf",
        to: "shard !== undefined || shardOf"
      }
    ]
  },
  {
    name: "a tenant's own token is good for all",
    caughtBy: [DAEMON, "for nobody else's"],
    changes: [
      {
        file: "cli/remote/HttpRoutes.ts",
        from: "equal(Redacted.value(value), Redacted.value(given))",
        to: "equal(Redacted.value(value), Redacted.value(value))"
      }
    ]
  },
  {
    name: "a tenant's page leads to the addresses of all",
    caughtBy: [DAEMON, "each tenant's own page below its address"],
    changes: [{ file: "cli/tenants/TenantRoutes.ts", from: "body: pageBelow(base, page)", to: "body: page" }]
  },
  {
    name: "an opening that throws never ends",
    caughtBy: ["test/sync/tenants/Pool.test.ts", "ends an opening that throws"],
    changes: [
      {
        file: "sync/tenants/Pool.ts",
        from: "scope(Effect.suspend(() => this.#options.open(entry.name)))",
        to: "scope(this.#options.open(entry.name))"
      }
    ]
  },
  {
    name: "a tenant that nobody waited for is never due",
    caughtBy: ["test/sync/cluster/Adding.test.ts", "though whoever added it gave up"],
    changes: [{ file: "sync/library/many/ManyTenants.ts", from: "this.#dueNow(name))", to: "void this.#dueNow)" }]
  },
  {
    name: "figures name every tenant",
    caughtBy: [DAEMON, "only those with the most"],
    changes: [{ file: "cli/tenants/TenantMetrics.ts", from: "    .slice(0, MOST_NAMED)\n", to: "" }]
  },
  {
    name: "runs of tenants are counted by connection",
    caughtBy: [DAEMON, "only those with the most"],
    changes: [
      {
        file: "sync/library/many/TenantTurn.ts",
        from: "Counters.PerConnection, false",
        to: "Counters.PerConnection, true"
      }
    ]
  },
  {
    name: "a copy that was put back sends what it says before the source was read to its end",
    caughtBy: ["test/sync/reconciliation/Restored.test.ts", "takes back no payment that it has not read yet"],
    changes: [
      {
        file: "sync/plan/Plan.ts",
        from: "const outdated = decision.calls.length > 0 && around.isOutdated(connection.id)",
        to: "const outdated = false"
      }
    ]
  },
  {
    name: "a name that begins like an address of this machine is this machine",
    caughtBy: ["test/security/TenantBounds.test.ts", "sends what tenants share to vendors only"],
    changes: [
      { file: "core/Reach.ts", from: '(isIP(host) === 4 && host.startsWith("127."))', to: 'host.startsWith("127.")' }
    ]
  }
]
