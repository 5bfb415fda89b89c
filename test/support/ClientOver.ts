/** The client of the service over any `HttpClient`. */
import { Layer } from "effect"
import type { HttpClient } from "effect/http"
import { Client, type ClientOptions } from "../../core/Client.ts"
import { deriveOver } from "../../core/DerivedClient.ts"

export const layerHttp = (options: ClientOptions): Layer.Layer<Client, never, HttpClient.HttpClient> =>
  Layer.effect(Client, deriveOver(options))
