/** The flags that several commands for tenants have. */
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { UsageError } from "../../sync/library/Exit.ts"
import { parseShard, type Shard } from "../../sync/tenants/Shard.ts"
import * as Flags from "../Flags.ts"

export const folderFlag = Flags.needed("tenants", "FOLDER", "The folder with a subfolder for each tenant").pipe(
  Flag.withDefault("tenants")
)

export const shardFlag = Flags.text("shard", "N/M", "Only the Nth of M parts of them, like a daemon with --shard N/M")

const urlFlag = (name: string, alias?: string) => (what: string) => {
  const flag = Flag.String(name).pipe(Flag.withDescription(what), Flag.withMetavar("URL"))
  return Flag.optional(alias === undefined ? flag : Flag.withAlias(flag, alias))
}

/** The PostgreSQL of tenants without a folder. */
export const clusterFor = (what: string) => urlFlag("cluster", "database")(what)

export const filesFlag = Flag.String("files").pipe(
  Flag.withDescription(
    "With --database: the folder with the files of sources, one folder for each tenant, and with daybook.tenants.json"
  ),
  Flag.withMetavar("FOLDER"),
  Flag.optional
)

/** The PostgreSQL that has configurations as well. */
export const databaseFor = urlFlag("database")

export const clusterFlag = clusterFor("The tenants in this PostgreSQL")

export const shardIn = (written: Option.Option<string>): Effect.Effect<Shard | undefined, UsageError> => {
  if (Option.isNone(written)) return Effect.succeed(undefined)
  const shard = parseShard(written.value)
  return shard === undefined
    ? Effect.fail(new UsageError({ why: `--shard ${written.value}: write which of how many, like 3/16` }))
    : Effect.succeed(shard)
}

export const allFlag = Flags.yes("all", "Every tenant of the folder")

export const namesArgument = Argument.String("name").pipe(
  Argument.withDescription("The tenants"),
  Argument.withMetavar("NAME"),
  Argument.variadic()
)

export const databaseFlag = Flag.String("database").pipe(
  Flag.withDescription("The PostgreSQL, with the tables that daybook cluster init makes"),
  Flag.withMetavar("URL")
)
