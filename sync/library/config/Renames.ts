/**
 * Maps the connections of a configuration to the names under which the state file knows them: a renamed connection keeps the
 * prefix of its documents' keys (`sync/plan/SourceBindings.ts`).
 */
import { Effect } from "effect"
import type { Connection } from "../../model/Connection.ts"
import * as SourceBindings from "../../plan/SourceBindings.ts"
import { ConfigError, type Configuration } from "./Configuration.ts"

/** @param state the state file; it need not exist */
export const renamed = (configuration: Configuration, state: string): Effect.Effect<Configuration, ConfigError> =>
  Effect.suspend(() => renamedBy(configuration, SourceBindings.names(state)))

/** @param names the key prefixes of connections that have another name in the configuration */
export const renamedBy = (
  configuration: Configuration,
  names: ReadonlyMap<string, string>
): Effect.Effect<Configuration, ConfigError> =>
  Effect.suspend(() => {
    const { connections, file } = configuration
    const keyed = (name: string) => names.get(name) ?? name
    const problems = connections.flatMap(({ id }, index) => {
      const other = connections.find((one) => one.id !== id && keyed(one.id) === id)
      return other === undefined
        ? []
        : [`connections[${index}].id: calls of ${other.id} were sent under the name ${id}; choose another id`]
    })
    if (problems.length > 0) return Effect.fail(new ConfigError({ file, problems }))
    if (names.size === 0) return Effect.succeed(configuration)
    return Effect.succeed({
      ...configuration,
      connections: connections.map((connection): Connection => {
        const { id, pays, planning } = connection
        const { cover } = planning
        const orders = cover?.handover?.orders
        const { documents: papers, ships } = planning.orders ?? {}
        const plans = {
          ...planning,
          ...(cover === undefined || orders === undefined
            ? {}
            : { cover: { ...cover, handover: { ...cover.handover, orders: keyed(orders) } } }),
          ...(planning.orders === undefined
            ? {}
            : {
                orders: {
                  ...planning.orders,
                  ...(papers?.from === undefined ? {} : { documents: { ...papers, from: keyed(papers.from) } }),
                  ...(ships === undefined ? {} : { ships: keyed(ships) })
                }
              })
        }
        return {
          ...connection,
          id: keyed(id),
          ...(keyed(id) === id ? {} : { name: id }),
          ...(pays === undefined ? {} : { pays: { ...pays, connection: keyed(pays.connection) } }),
          planning: plans
        }
      })
    })
  })
