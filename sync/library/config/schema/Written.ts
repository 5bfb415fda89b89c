/** The JSON Schema of a configuration, with the connectors that it may name, as text. */
import { Effect } from "effect"
import { connectors } from "../../../../connectors/list.ts"
import * as ConnectorRegistry from "../../ConnectorRegistry.ts"
import { configSchema, type NamedConnector } from "./JsonSchema.ts"

/** Daybook's own connectors, and those that this configuration names; unknown names are left out. */
const known = async (value: unknown, folder: string): Promise<ReadonlyArray<NamedConnector>> => {
  const ours = await Promise.all(connectors.map(async ({ load, name }) => ({ name, connector: await load() })))
  const named = [...(await ConnectorRegistry.load(value, folder))].flatMap(([name, connector]) =>
    typeof connector === "string" || ours.some((one) => one.name === name) ? [] : [{ name, connector }]
  )
  return [...ours, ...named]
}

/**
 * @param value the contents of a configuration file, so that third-party connectors are found
 * @param folder the configuration's folder
 */
export const schemaText = (value: unknown, folder: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => known(value, folder)),
    (all) => `${JSON.stringify(configSchema(all))}\n`
  )
