/**
 * The interface in writing: an OpenAPI 3.1 document made from the API's definition, and a page to read it.
 */
import { OpenApi } from "effect/http-api"
import { ServiceApi } from "../Api.ts"
import { DeferredPaymentApi } from "../deferred-payment/Api.ts"
import { InsuranceApi } from "../insurance/Api.ts"
import type { Interface } from "./Dialect.ts"

const DOCUMENTS = {
  both: () => OpenApi.fromApi(ServiceApi),
  "deferred-payment": () => OpenApi.fromApi(DeferredPaymentApi),
  insurance: () => OpenApi.fromApi(InsuranceApi)
} satisfies Record<Interface, unknown>

/** The OpenAPI document of what is spoken, with the address that it was asked at. */
export const openApi = (base: string, spoken: Interface) => ({ ...DOCUMENTS[spoken](), servers: [{ url: base }] })

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!)

interface Operation {
  readonly tags?: ReadonlyArray<string>
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }
  readonly responses?: Readonly<Record<string, unknown>>
}

export const page = (base: string, spoken: Interface): string => {
  const spec = openApi(base, spoken)
  const groups = new Map<string, Array<string>>()
  for (const [path, methods] of Object.entries(
    spec.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  )) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = operation.tags?.[0] ?? "other"
      const [body] = Object.values(operation.requestBody?.content ?? {})
      const schema =
        body?.schema === undefined
          ? ""
          : `<details><summary>body</summary><pre>${escapeHtml(JSON.stringify(body.schema, null, 2))}</pre></details>`
      const row = `<tr><td><code>${method.toUpperCase()}</code></td><td><code>${escapeHtml(path)}</code>${schema}</td><td>${Object.keys(operation.responses ?? {}).join(" ")}</td></tr>`
      groups.set(group, [...(groups.get(group) ?? []), row])
    }
  }
  const sections = [...groups].map(
    ([group, rows]) =>
      `<h2>${escapeHtml(group)}</h2><table><tr><th>Method</th><th>Path</th><th>Answers</th></tr>${rows.join("")}</table>`
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandbox</title><style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3rem;text-align:left;vertical-align:top}
pre{overflow:auto;max-height:20rem}</style><h1>The service on this machine</h1>
<p>Send <code>Authorization: Token KEY</code>. The whole document: <a href="/openapi.json">openapi.json</a>.</p>${sections.join("\n")}</html>`
}
