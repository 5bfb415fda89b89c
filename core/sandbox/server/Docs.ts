/**
 * Serves the API's documentation: an OpenAPI 3.1 document generated from the API definition, and a page to read it.
 */
import type { Interface } from "./ApiProfile.ts"
import { document } from "./OpenApi.ts"

/** The OpenAPI document of the active interface, with the address of the request as its server. */
export const openApi = (base: string, spoken: Interface) => ({ ...document(spoken), servers: [{ url: base }] })

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

interface Operation {
  readonly summary: string
  readonly tags?: ReadonlyArray<string>
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }
  readonly responses?: Readonly<Record<string, unknown>>
}

interface Read {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const folded = (title: string, schema: unknown): string =>
  `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`

const REFERENCE = /^#\/components\/schemas\/(.*)$/

export const docsPage = (base: string, spoken: Interface): string => {
  const { components, paths } = openApi(base, spoken) as unknown as Read
  const groups = new Map<string, Array<string>>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = operation.tags?.[0] ?? "other"
      const [body] = Object.values(operation.requestBody?.content ?? {})
      const named = REFERENCE.exec((body?.schema as { readonly $ref?: string } | undefined)?.$ref ?? "")?.[1]
      const schema =
        body?.schema === undefined ? "" : folded(named ?? "body", named ? components.schemas[named] : body.schema)
      const row = `<tr><td><code>${method.toUpperCase()}</code></td><td><code>${escapeHtml(path)}</code><br>${escapeHtml(operation.summary)}${schema}</td><td>${Object.keys(operation.responses ?? {}).join(" ")}</td></tr>`
      groups.set(group, [...(groups.get(group) ?? []), row])
    }
  }
  const sections = [...groups].map(
    ([group, rows]) =>
      `<h2>${escapeHtml(group)}</h2><table><tr><th>Method</th><th>Path</th><th>Answers</th></tr>${rows.join("")}</table>`
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Sandbox</title><style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3rem;text-align:left;vertical-align:top}
pre{overflow:auto;max-height:20rem}</style><h1>The service on this machine</h1>
<p>Send <code>Authorization: Token KEY</code>. The whole document: <a href="/openapi.json">openapi.json</a>.
The elements of the checkout, live: <a href="/docs/checkout">checkout</a>.</p>${sections.join("\n")}
<h2>Schemas</h2>${Object.entries(components.schemas)
    .map(([name, schema]) => folded(name, schema))
    .join("\n")}</html>`
}
