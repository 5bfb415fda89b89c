/**
 * Traces, metrics and logs to an OpenTelemetry collector, where the configuration names one. What waits is sent when the
 * daemon ends.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Layer } from "effect"
import { HttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import type { Configuration } from "../../sync/library/config/Configuration.ts"

export const layer = ({ daemon, environment }: Configuration): Layer.Layer<never> => {
  const { telemetry } = daemon
  if (telemetry === undefined) return Layer.empty
  const collector = Otlp.layerJson({
    baseUrl: telemetry.url,
    headers: Object.fromEntries(
      Object.entries(telemetry.headers).map(([name, variable]) => [name, environment[variable] ?? ""])
    ),
    resource: { serviceName: "daybook" },
    loggerMergeWithExisting: true,
    shutdownTimeout: "3 seconds"
  }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  // Sources are not told whose trace their requests belong to.
  return Layer.merge(collector, Layer.succeed(HttpClient.TracerPropagationEnabled, false))
}
