/** Finds problems with the connections that have the orders of invoices that may be handed over to collections. */
import type { CoverSettings } from "../../model/CoverSettings.ts"
import type * as ConnectorRegistry from "../ConnectorRegistry.ts"
import { unknownConnection } from "../UnknownConnection.ts"

/** The fields of a written connection that are checked. */
interface Written {
  readonly id: string
  readonly cover?: CoverSettings
  readonly source: { readonly connector: string }
}

export const handoverProblems = (
  written: ReadonlyArray<Written>,
  connectors: ConnectorRegistry.Loaded
): ReadonlyArray<string> => {
  const hasOrders = ({ source }: Written): boolean => {
    const connector = connectors.get(source.connector)
    return typeof connector === "object" && connector.capabilities.kinds.includes("order")
  }
  return written.flatMap(({ cover }, index) => {
    const orders = cover?.handover?.orders
    if (orders === undefined) return []
    const at = `connections[${index}].cover.handover.orders`
    const target = written.find(({ id }) => id === orders)
    if (target === undefined) {
      const ids = written.filter(hasOrders).map(({ id }) => id)
      return [`${at}: ${unknownConnection(orders, ids.length === 0 ? written.map(({ id }) => id) : ids)}`]
    }
    // An unknown connector is reported where it is named.
    if (hasOrders(target) || typeof connectors.get(target.source.connector) !== "object") return []
    return [`${at}: ${target.source.connector} has no orders; name the connection of the shop, or leave it out`]
  })
}
