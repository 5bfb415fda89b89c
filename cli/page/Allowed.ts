/** Leaves out of a page what its reader may not do: forms, their buttons and fields, and links to rooms that are not theirs. */
import { cloneElement, type ComponentChildren, Fragment, h, isValidElement, type VNode } from "preact"
import type { Node } from "./Html.ts"
import { EVERY_RIGHT, type Right } from "../../sync/model/Roles.ts"
import { isFor } from "./RouteRights.ts"

type Props = Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren }

const parts = (address: string): ReadonlyArray<string> =>
  (address.split(/[?#]/)[0] ?? "").split("/").slice(1).map(decodeURIComponent)

const may = (rights: ReadonlyArray<Right>, method: string, address: unknown): boolean =>
  typeof address !== "string" || !address.startsWith("/") || isFor(rights, method, parts(address))

const methodOf = (method: unknown): string => (method === "post" ? "POST" : "GET")

const propsOf = (node: VNode): Props => node.props as Props

/** The ids of forms that are left out: fields elsewhere on the page belong to them. */
const refusedForms = (node: Node, rights: ReadonlyArray<Right>): ReadonlyArray<unknown> => {
  if (Array.isArray(node)) return node.flatMap((one: Node) => refusedForms(one, rights))
  if (!isValidElement(node)) return []
  const { action, children, id, method } = propsOf(node)
  const own = node.type === "form" && id !== undefined && !may(rights, methodOf(method), action) ? [id] : []
  return [...own, ...refusedForms(children, rights)]
}

const kept = (node: Node, rights: ReadonlyArray<Right>, gone: ReadonlyArray<unknown>): Node => {
  if (Array.isArray(node)) return node.map((one: Node) => kept(one, rights, gone))
  if (!isValidElement(node)) return node
  const { action, children, form, formaction, href, method } = propsOf(node)
  if (node.type === "form" && !may(rights, methodOf(method), action)) return null
  if (!may(rights, "POST", formaction) || (form !== undefined && gone.includes(form))) return null
  const inner = kept(children, rights, gone)
  if (node.type === "a" && !may(rights, "GET", href)) return h(Fragment, null, inner)
  return cloneElement(node, { children: inner } as object)
}

/** The page as somebody with these rights sees it. */
export const allowed = (node: Node, rights: ReadonlyArray<Right>): Node =>
  EVERY_RIGHT.every((right) => rights.includes(right)) ? node : kept(node, rights, refusedForms(node, rights))
