/** Lists the commands, grouped by purpose. */
import type { Command, GlobalFlag } from "effect/cli"
import type { globals } from "./CommandContext.ts"

type Setting = (typeof globals)[number]["id"]

interface Entry {
  readonly name: string
  /** A command with its own options, which needs only what `Program` provides to all commands. */
  readonly load: () => Promise<
    // biome-ignore lint/suspicious/noExplicitAny: its name and its input are its own affair
    Command.Command<any, any, any, unknown, Command.Environment | GlobalFlag.Setting.Identifier<Setting>>
  >
}

const entry = (name: string, load: Entry["load"]): Entry => ({ name, load })

export const GROUPS: ReadonlyArray<{ readonly group: string; readonly entries: ReadonlyArray<Entry> }> = [
  {
    group: "Start here",
    entries: [
      entry("demo", async () => (await import("./commands/demo.ts")).demo),
      entry("init", async () => (await import("./commands/init.ts")).init),
      entry("doctor", async () => (await import("./commands/doctor.ts")).doctor),
      entry("service", async () => (await import("./commands/service.ts")).service),
      entry("preview", async () => (await import("./commands/preview.ts")).preview),
      entry("connect", async () => (await import("./commands/connect.ts")).connect),
      entry("config", async () => (await import("./commands/config.ts")).config),
      entry("connectors", async () => (await import("./commands/connectors.ts")).connectors)
    ]
  },
  {
    group: "Every day",
    entries: [
      entry("sync", async () => (await import("./commands/sync.ts")).sync),
      entry("pull", async () => (await import("./commands/pull.ts")).pull),
      entry("plan", async () => (await import("./commands/plan.ts")).plan),
      entry("apply", async () => (await import("./commands/apply.ts")).apply),
      entry("daemon", async () => (await import("./commands/daemon.ts")).daemon),
      entry("approve", async () => (await import("./commands/approve.ts")).approve),
      entry("reject", async () => (await import("./commands/approve.ts")).reject),
      entry("undo", async () => (await import("./commands/undo.ts")).undo)
    ]
  },
  {
    group: "Look",
    entries: [
      entry("status", async () => (await import("./commands/status.ts")).status),
      entry("attention", async () => (await import("./commands/attention.ts")).attention),
      entry("alerts", async () => (await import("./commands/alerts.ts")).alerts),
      entry("cover", async () => (await import("./commands/cover.ts")).cover),
      entry("collect", async () => (await import("./commands/collect.ts")).collect),
      entry("match", async () => (await import("./commands/match.ts")).match),
      entry("movements", async () => (await import("./commands/movements.ts")).movements),
      entry("payouts", async () => (await import("./commands/payouts.ts")).payouts),
      entry("explain", async () => (await import("./commands/explain.ts")).explain),
      entry("watch", async () => (await import("./commands/watch.ts")).watch),
      entry("reconcile", async () => (await import("./commands/reconcile.ts")).reconcile),
      entry("mcp", async () => (await import("./commands/mcp.ts")).mcp),
      entry("close", async () => (await import("./commands/close.ts")).close),
      entry("verify", async () => (await import("./commands/verify.ts")).verify),
      entry("export", async () => (await import("./commands/export.ts")).exports),
      entry("views", async () => (await import("./commands/views.ts")).views),
      entry("backup", async () => (await import("./commands/backup.ts")).backup),
      entry("drill", async () => (await import("./commands/drill.ts")).drill),
      entry("tenants", async () => (await import("./commands/tenants.ts")).tenants),
      entry("cluster", async () => (await import("./commands/cluster.ts")).cluster),
      entry("persons", async () => (await import("./commands/persons.ts")).persons),
      entry("connections", async () => (await import("./commands/connections.ts")).connections)
    ]
  },
  {
    group: "The service on this machine",
    entries: [entry("sandbox", async () => (await import("./commands/sandbox.ts")).sandbox)]
  }
]
