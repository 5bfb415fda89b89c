/**
 * What Kubernetes accepts of a StatefulSet and a Deployment (apps/v1) and a CronJob (batch/v1), as far as the manifests of many tenants go: their members by name and
 * type, none that it does not know. Written from its reference; a member that a manifest gets anew is added here.
 */

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: "string", minLength: 1 }
const count: Schema = { type: "integer", minimum: 0 }
const flag: Schema = { type: "boolean" }
const labels: Schema = { type: "object", additionalProperties: text }
const list = (items: Schema): Schema => ({ type: "array", minItems: 1, items })
const one = (...values: ReadonlyArray<string>): Schema => ({ enum: values })
const object = (properties: Schema, required: ReadonlyArray<string> = []): Schema => ({
  type: "object",
  additionalProperties: false,
  required,
  properties
})

const name: Schema = { type: "string", pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" }
const quantity: Schema = { type: "string", pattern: "^\\d+(\\.\\d+)?(m|Ki|Mi|Gi|Ti|k|M|G|T)?$" }
const quantities = object({ cpu: quantity, memory: quantity, storage: quantity })
const port: Schema = { anyOf: [{ type: "integer", minimum: 1, maximum: 65535 }, name] }
const metadata = object({ name, namespace: name, labels, annotations: labels })

const probe = object(
  {
    httpGet: object({ path: { type: "string", pattern: "^/" }, port, scheme: one("HTTP", "HTTPS") }, ["port"]),
    initialDelaySeconds: count,
    periodSeconds: { type: "integer", minimum: 1 },
    timeoutSeconds: { type: "integer", minimum: 1 },
    failureThreshold: { type: "integer", minimum: 1 },
    successThreshold: { const: 1 }
  },
  ["httpGet"]
)

const fieldPath: Schema = {
  type: "string",
  pattern: "^(metadata\\.(name|namespace|uid|labels\\['[^']+'\\]|annotations\\['[^']+'\\])|spec\\.\\w+|status\\.\\w+)$"
}

const container = object(
  {
    name,
    image: text,
    command: list(text),
    args: list(text),
    env: list(
      object({ name: text, value: text, valueFrom: object({ fieldRef: object({ fieldPath }, ["fieldPath"]) }) }, [
        "name"
      ])
    ),
    envFrom: list(
      object({ secretRef: object({ name, optional: flag }, ["name"]), configMapRef: object({ name }, ["name"]) })
    ),
    ports: list(object({ name, containerPort: port, protocol: one("TCP", "UDP", "SCTP") }, ["containerPort"])),
    startupProbe: probe,
    readinessProbe: probe,
    livenessProbe: probe,
    resources: object({ requests: quantities, limits: quantities }),
    securityContext: object({
      allowPrivilegeEscalation: flag,
      readOnlyRootFilesystem: flag,
      capabilities: object({ drop: list(text), add: list(text) })
    }),
    volumeMounts: list(
      object({ name, mountPath: { type: "string", pattern: "^/" }, readOnly: flag }, ["name", "mountPath"])
    )
  },
  ["name", "image"]
)

const pod = object(
  {
    restartPolicy: one("Always", "OnFailure", "Never"),
    terminationGracePeriodSeconds: count,
    automountServiceAccountToken: flag,
    securityContext: object({
      runAsNonRoot: flag,
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      fsGroupChangePolicy: one("Always", "OnRootMismatch"),
      seccompProfile: object({ type: one("RuntimeDefault", "Unconfined", "Localhost") }, ["type"])
    }),
    containers: list(container),
    volumes: list(
      object(
        {
          name,
          emptyDir: object({ sizeLimit: quantity }),
          persistentVolumeClaim: object({ claimName: name, readOnly: flag }, ["claimName"])
        },
        ["name"]
      )
    )
  },
  ["containers"]
)

const claim = object(
  {
    metadata,
    spec: object(
      {
        accessModes: list(one("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
        storageClassName: name,
        resources: object({ requests: quantities }, ["requests"])
      },
      ["accessModes", "resources"]
    )
  },
  ["metadata", "spec"]
)

const retention = one("Retain", "Delete")

export const STATEFUL_SET: Schema = object(
  {
    apiVersion: { const: "apps/v1" },
    kind: { const: "StatefulSet" },
    metadata,
    spec: object(
      {
        serviceName: name,
        replicas: count,
        ordinals: object({ start: count }),
        podManagementPolicy: one("OrderedReady", "Parallel"),
        updateStrategy: object({ type: one("RollingUpdate", "OnDelete") }),
        persistentVolumeClaimRetentionPolicy: object({ whenDeleted: retention, whenScaled: retention }),
        minReadySeconds: count,
        revisionHistoryLimit: count,
        selector: object({ matchLabels: labels }, ["matchLabels"]),
        template: object({ metadata, spec: pod }, ["metadata", "spec"]),
        volumeClaimTemplates: list(claim)
      },
      ["selector", "serviceName", "template"]
    )
  },
  ["apiVersion", "kind", "metadata", "spec"]
)

export const DEPLOYMENT: Schema = object(
  {
    apiVersion: { const: "apps/v1" },
    kind: { const: "Deployment" },
    metadata,
    spec: object(
      {
        replicas: count,
        selector: object({ matchLabels: labels }, ["matchLabels"]),
        template: object({ metadata, spec: pod }, ["metadata", "spec"])
      },
      ["selector", "template"]
    )
  },
  ["apiVersion", "kind", "metadata", "spec"]
)

export const CRON_JOB: Schema = object(
  {
    apiVersion: { const: "batch/v1" },
    kind: { const: "CronJob" },
    metadata,
    spec: object(
      {
        schedule: text,
        timeZone: text,
        suspend: flag,
        concurrencyPolicy: one("Allow", "Forbid", "Replace"),
        startingDeadlineSeconds: count,
        successfulJobsHistoryLimit: count,
        failedJobsHistoryLimit: count,
        jobTemplate: object(
          {
            metadata,
            spec: object(
              {
                backoffLimit: count,
                activeDeadlineSeconds: count,
                ttlSecondsAfterFinished: count,
                template: object({ metadata, spec: pod }, ["spec"])
              },
              ["template"]
            )
          },
          ["spec"]
        )
      },
      ["schedule", "jobTemplate"]
    )
  },
  ["apiVersion", "kind", "metadata", "spec"]
)
