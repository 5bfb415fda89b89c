/** The manifest of many tenants on many machines: members that Kubernetes knows, and what has to agree in it does. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { readFileSync } from "node:fs"
import { parseAllDocuments } from "yaml"
import { parseShard } from "../../sync/tenants/Shard.ts"
import { CRON_JOB, DEPLOYMENT, STATEFUL_SET } from "./StatefulSet.ts"

interface Mount {
  readonly name: string
  readonly mountPath?: string
}

interface Container {
  readonly args: ReadonlyArray<string>
  readonly env: ReadonlyArray<{
    readonly name: string
    readonly valueFrom: { readonly fieldRef: { readonly fieldPath: string } }
  }>
  readonly ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  readonly volumeMounts: ReadonlyArray<Mount>
  readonly [probe: string]: unknown
}

interface Manifest {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly serviceName: string
    readonly replicas: number
    readonly ordinals: { readonly start: number }
    readonly selector: { readonly matchLabels: object }
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: { readonly containers: readonly [Container]; readonly volumes: ReadonlyArray<Mount> }
    }
    readonly volumeClaimTemplates: ReadonlyArray<{
      readonly metadata: Mount
      readonly spec: { readonly accessModes: ReadonlyArray<string> }
    }>
  }
}

const file = new URL("../../examples/5-operations/statefulset.yaml", import.meta.url)
const [service, set] = parseAllDocuments(readFileSync(file, "utf8")).map((one) => one.toJS() as Manifest)
const accepts = new Ajv({ allErrors: true }).compile(STATEFUL_SET)

describe("the manifest of many tenants", () => {
  it("has what Kubernetes knows, and nothing else", () => {
    assert.isTrue(accepts(set), JSON.stringify(accepts.errors))
    assert.isFalse(accepts({ ...set, spec: { ...set!.spec, replica: 4 } }))
    assert.isFalse(accepts({ ...set, spec: { ...set!.spec, replicas: "4" } }))
    assert.isFalse(accepts({ ...set, apiVersion: "apps/v1beta1" }))
  })

  it("runs each shard once: its number is the pod's, of as many as there are", () => {
    const { ordinals, replicas, template } = set!.spec
    const [{ args, env }] = template.spec.containers
    const [{ name, valueFrom }] = env as [Container["env"][number]]
    assert.strictEqual(valueFrom.fieldRef.fieldPath, "metadata.labels['apps.kubernetes.io/pod-index']")
    const shards = Array.from({ length: replicas }, (_, n) =>
      parseShard(args[args.indexOf("--shard") + 1]!.replace(`$(${name})`, String(ordinals.start + n)))
    )
    assert.deepStrictEqual(
      shards,
      Array.from({ length: replicas }, (_, n) => ({ number: n + 1, of: replicas }))
    )
  })

  it("keeps tenants on a volume that one pod mounts, and reaches the daemon where it listens", () => {
    const { selector, serviceName, template, volumeClaimTemplates } = set!.spec
    const [container] = template.spec.containers
    const [{ metadata, spec }] = volumeClaimTemplates as [Manifest["spec"]["volumeClaimTemplates"][number]]
    assert.deepStrictEqual(spec.accessModes, ["ReadWriteOncePod"])
    const { args, ports, volumeMounts } = container
    const folder = args[args.indexOf("--tenants") + 1]
    assert.strictEqual(volumeMounts.find(({ name }) => name === metadata.name)?.mountPath, folder)
    const volumes = [metadata.name, ...template.spec.volumes.map(({ name }) => name)]
    assert.deepStrictEqual(volumeMounts.map(({ name }) => name).toSorted(), volumes.toSorted())
    assert.strictEqual(args[args.indexOf("--listen") + 1], `0.0.0.0:${ports[0]!.containerPort}`)
    for (const [probe, path] of [
      ["startupProbe", "/healthz"],
      ["readinessProbe", "/readyz"],
      ["livenessProbe", "/healthz"]
    ] as const)
      assert.deepInclude(container[probe], { httpGet: { path, port: ports[0]!.name } })
    assert.deepStrictEqual(selector.matchLabels, template.metadata.labels)
    assert.strictEqual(service!.metadata.name, serviceName)
  })
})

describe("the manifest of one tenant that Kubernetes runs by a schedule", () => {
  const [job] = parseAllDocuments(readFileSync(new URL("cronjob.yaml", file), "utf8")).map((one) => one.toJS())
  const accepts = new Ajv({ allErrors: true, strictTypes: false }).compile(CRON_JOB)

  it("has what Kubernetes knows, and volumes for what is mounted", () => {
    assert.isTrue(accepts(job), JSON.stringify(accepts.errors))
    assert.isFalse(accepts({ ...job, spec: { ...job.spec, concurrency: "Forbid" } }))
    const { containers, volumes } = job.spec.jobTemplate.spec.template.spec
    const names = (all: ReadonlyArray<Mount>) => all.map(({ name }) => name).toSorted()
    assert.deepStrictEqual(names(containers[0].volumeMounts), names(volumes))
  })

  it("starts the same command as the activity of Temporal does", () => {
    const { args } = job.spec.jobTemplate.spec.template.spec.containers[0]
    const activities = readFileSync(new URL("temporal/activities.mjs", file), "utf8")
    for (const word of ["tenants", "sync", "--database", "--json"]) {
      assert.include(args, word)
      assert.include(activities, `"${word}"`)
    }
  })
})

describe("the manifest of workers", () => {
  const [service, workers] = parseAllDocuments(readFileSync(new URL("workers.yaml", file), "utf8")).map((one) =>
    one.toJS()
  )
  const accepts = new Ajv({ allErrors: true }).compile(DEPLOYMENT)

  it("has pods as Kubernetes knows them, volumes for what is mounted, and is reached where it listens", () => {
    const { selector, template } = workers.spec
    assert.isTrue(accepts(workers), JSON.stringify(accepts.errors))
    const [container] = template.spec.containers
    const names = (all: ReadonlyArray<Mount>) => all.map(({ name }) => name).toSorted()
    assert.deepStrictEqual(names(container.volumeMounts), names(template.spec.volumes))
    assert.deepStrictEqual(selector.matchLabels, template.metadata.labels)
    assert.deepStrictEqual(service.spec.selector, template.metadata.labels)
    const { args, ports } = container
    assert.strictEqual(args[args.indexOf("--listen") + 1], `0.0.0.0:${ports[0].containerPort}`)
  })
})
