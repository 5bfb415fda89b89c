/** Finds problems with connections that name another: for the orders of invoices, or for the invoices or parcels of orders. */
import type { OrderSettings } from "../../model/Connection.ts"
import type { CoverSettings } from "../../model/CoverSettings.ts"
import type * as ConnectorRegistry from "../ConnectorRegistry.ts"
import { unknownConnection } from "../UnknownConnection.ts"

/** The fields of a written connection that are checked. */
interface Written {
  readonly id: string
  readonly cover?: CoverSettings
  readonly orders?: OrderSettings
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

/** The connections that have the documents of orders. */
export const paperProblems = (
  written: ReadonlyArray<Written>,
  connectors: ConnectorRegistry.Loaded
): ReadonlyArray<string> =>
  written.flatMap(({ id, orders }, index) => {
    const { documents } = orders ?? {}
    if (documents === undefined) return []
    const at = `connections[${index}].orders.documents`
    const target = written.find((one) => one.id === (documents.from ?? id))
    if (target === undefined)
      return [
        `${at}.from: ${unknownConnection(
          documents.from ?? id,
          written.map((one) => one.id)
        )}`
      ]
    const connector = connectors.get(target.source.connector)
    if (typeof connector !== "object") return []
    const { name } = connector
    if (!connector.capabilities.kinds.includes("invoice"))
      return [`${at}.from: ${name} has no invoices; name the connection of the books`]
    return documents.invoice === undefined && connector.documents === undefined
      ? [`${at}.invoice: ${name} has no files of its invoices; write where yours are, like "invoices/{number}.pdf"`]
      : []
  })

/** The connections that ship the orders of others. */
export const shipProblems = (
  written: ReadonlyArray<Written>,
  connectors: ConnectorRegistry.Loaded
): ReadonlyArray<string> =>
  written.flatMap(({ id, orders }, index) => {
    const { ships } = orders ?? {}
    if (ships === undefined) return []
    const at = `connections[${index}].orders.ships`
    if (ships === id) return [`${at}: its own parcels are read anyway; leave it out, or name another connection`]
    const others = written.flatMap((one) => (one.id === id ? [] : [one.id]))
    const target = written.find((one) => one.id === ships)
    if (target === undefined) return [`${at}: ${unknownConnection(ships, others)}`]
    const connector = connectors.get(target.source.connector)
    return typeof connector !== "object" || connector.capabilities.kinds.includes("fulfilment")
      ? []
      : [`${at}: ${connector.name} has no parcels; name the connection that has them`]
  })
