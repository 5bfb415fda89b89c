/**
 * The Helm chart of the operations example. Helm itself lints and renders it where it is there; everywhere else, what the templates use
 * of Helm's language is rendered here, and must give whole objects.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse, parseAllDocuments } from "yaml"

const CHART = fileURLToPath(new URL("../../examples/5-operations/chart", import.meta.url))
const read = (name: string) => readFileSync(join(CHART, name), "utf8")

type Values = Readonly<Record<string, unknown>>

const at = (path: string, of: unknown): unknown =>
  path
    .split(".")
    .filter((name) => name !== "")
    .reduce<unknown>((value, name) => {
      if (typeof value !== "object" || value === null || !(name in value)) throw new Error(`no ${path} in the values`)
      return (value as Values)[name]
    }, of)

const FUNCTIONS: Readonly<Record<string, (...given: ReadonlyArray<unknown>) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  toJson: (value) => JSON.stringify(value),
  sha256sum: (value) => createHash("sha256").update(String(value)).digest("hex"),
  printf: (form, ...given) => given.reduce((text: string, one) => text.replace("%s", String(one)), String(form)),
  required: (why, value) => {
    if (value === undefined || value === null || value === "") throw new Error(String(why))
    return value
  }
}

const evaluate = (expression: string, values: Values): unknown => {
  const words = (text: string) => text.match(/"[^"]*"|\S+/g) ?? []
  const term = (word: string): unknown => (word.startsWith('"') ? JSON.parse(word) : at(word, values))
  return expression.split("|").reduce<unknown>((before, part, n) => {
    const [head = "", ...rest] = words(part)
    const name = FUNCTIONS[head]
    if (name === undefined && n === 0 && rest.length === 0) return term(head)
    if (name === undefined) throw new Error(`${head} is not known here`)
    return name(...rest.map(term), ...(n === 0 ? [] : [before]))
  }, undefined)
}

const render = (template: string, values: Values): string =>
  template
    .replaceAll(/\{\{- if (\S+) \}\}([\s\S]*?)\{\{- end \}\}/g, (_, condition: string, body: string) =>
      at(condition, values) ? body : ""
    )
    .replaceAll(/\{\{ ([^}]*) \}\}/g, (_, expression: string) => String(evaluate(expression, values)))

const CONFIG = readFileSync(join(CHART, "../daybook.config.json"), "utf8")
const SETTINGS = { config: CONFIG, networkPolicy: { enabled: true, from: [{}] } }
const values = (more: Values = SETTINGS): Values => ({
  Values: { ...(parse(read("values.yaml")) as Values), ...more },
  Release: { Name: "books" }
})

interface Rendered {
  readonly kind: string
  readonly data: Readonly<Record<string, string>>
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas: number
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: {
        readonly containers: ReadonlyArray<{
          readonly image: string
          readonly args: ReadonlyArray<string>
          readonly envFrom: unknown
          readonly volumeMounts: ReadonlyArray<{ readonly name: string }>
        }>
        readonly volumes: ReadonlyArray<{ readonly name: string }>
      }
    }
    readonly volumeClaimTemplates: ReadonlyArray<{ readonly metadata: { readonly name: string } }>
  }
}

const objects = (more?: Values): ReadonlyArray<Rendered> =>
  readdirSync(join(CHART, "templates"))
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => parseAllDocuments(render(read(`templates/${name}`), values(more))))
    .flatMap((one) => {
      assert.deepStrictEqual(one.errors, [])
      return one.contents === null ? [] : [one.toJS() as Rendered]
    })

describe("the chart", () => {
  it("renders one daemon with its volume, its configuration and its secret", () => {
    const all = objects()
    assert.sameMembers(
      all.map(({ kind }) => kind),
      ["ConfigMap", "NetworkPolicy", "Service", "StatefulSet"]
    )
    const { data } = all.find(({ kind }) => kind === "ConfigMap")!
    assert.strictEqual(data["daybook.config.json"], CONFIG)
    const { spec } = all.find(({ kind }) => kind === "StatefulSet")!
    // Two daemons on one state file would only wait for each other.
    assert.strictEqual(spec.replicas, 1)
    const [container] = spec.template.spec.containers
    assert.strictEqual(container?.image, "registry.example.com/daybook:1")
    assert.deepStrictEqual(container?.args.slice(0, 1), ["daemon"])
    assert.deepStrictEqual(container?.envFrom, [{ secretRef: { name: "daybook" } }])
    const mounted = container?.volumeMounts.map(({ name }) => name)
    const there = [...spec.template.spec.volumes.map(({ name }) => name), spec.volumeClaimTemplates[0]!.metadata.name]
    assert.sameMembers([...(mounted ?? [])], there)
  })

  it("starts a new pod for another configuration, and has no policy where none is wanted", () => {
    const print = (config: string) =>
      objects({ config }).find(({ kind }) => kind === "StatefulSet")!.spec.template.metadata.annotations[
        "daybook/config"
      ]
    assert.notStrictEqual(print("{}"), print("{ }"))
    assert.notInclude(
      objects({ config: "{}" }).map(({ kind }) => kind),
      "NetworkPolicy"
    )
  })

  it("asks for a configuration if none is given", () => {
    assert.throws(() => objects({}), "--set-file config=daybook.config.json")
  })

  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(CHART, "../../../package.json"), "utf8"))
    const chart = parse(read("Chart.yaml")) as Values
    assert.deepStrictEqual([chart["version"], chart["appVersion"]], [version, version])
  })

  it("passes helm lint and helm template", ({ skip }) => {
    if (spawnSync("helm", ["version"]).status !== 0) return skip("helm is not installed")
    const set = ["--set-file", `config=${join(CHART, "../daybook.config.json")}`]
    for (const command of [
      ["lint", CHART, "--strict", ...set],
      ["template", "books", CHART, ...set]
    ]) {
      const { status, stderr, stdout } = spawnSync("helm", command, { encoding: "utf8" })
      assert.strictEqual(status, 0, `${stdout}${stderr}`)
    }
  })
})
