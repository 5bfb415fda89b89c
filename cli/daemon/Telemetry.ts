/**
 * Sends traces, metrics and logs to an OpenTelemetry collector, if one is configured. Pending data is sent when the daemon
 * ends.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer } from "effect"
import { HttpBody, HttpClient, HttpClientRequest } from "effect/http"
import { Otlp } from "effect/observability"
import { hide } from "../../sync/library/Hidden.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"

/** Removes secrets from what is sent to a collector: an error in a log or a span may repeat what a program was given. */
export const hidden = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
  const { body } = request
  if (body._tag !== "Uint8Array") return request
  const text = hide(new TextDecoder().decode(body.body))
  return HttpClientRequest.setBody(request, HttpBody.text(text, body.contentType))
}

const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (plain) => HttpClient.mapRequest(plain, hidden))
).pipe(Layer.provide(NodeHttpClient.layerUndici))

export const layer = ({ daemon, environment }: Pick<Configuration, "daemon" | "environment">): Layer.Layer<never> => {
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
  }).pipe(Layer.provide(client))
  // Requests to sources carry no trace header.
  return Layer.merge(collector, Layer.succeed(HttpClient.TracerPropagationEnabled, false))
}
