/**
 * Loads the underlying HTTP client, undici, when the first request is sent. Many runs send no request, and would otherwise
 * spend a third of their time loading it.
 */
import { NodeHttpClient } from "@effect/platform-node"
import type { Agent, Dispatcher } from "@effect/platform-node/Undici"
import { Effect, Layer } from "effect"

class LateDispatcher {
  readonly #options: Agent.Options
  #agent: Agent | undefined
  #reading: Promise<Agent> | undefined

  constructor(options: Agent.Options) {
    this.#options = options
  }

  #read(): Promise<Agent> {
    return (this.#reading ??= import("@effect/platform-node/Undici").then(
      ({ Agent }) => (this.#agent = new Agent(this.#options))
    ))
  }

  request(options: Dispatcher.RequestOptions & { readonly origin: string }): Promise<Dispatcher.ResponseData> {
    return this.#agent === undefined
      ? this.#read().then((agent) => agent.request(options))
      : this.#agent.request(options)
  }

  dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#agent !== undefined) return this.#agent.dispatch(options, handler)
    void this.#read().then((agent) => agent.dispatch(options, handler))
    return true
  }

  async destroy(): Promise<void> {
    await (await this.#reading)?.destroy()
  }
}

/** Connections stay open as long as the layer's scope. */
export const layerDispatcher = (options: Agent.Options = {}): Layer.Layer<NodeHttpClient.Dispatcher> =>
  Layer.effect(
    NodeHttpClient.Dispatcher,
    Effect.acquireRelease(
      // The class implements only the methods that are used.
      Effect.sync(() => new LateDispatcher(options) as unknown as Dispatcher),
      (dispatcher) => Effect.promise(() => dispatcher.destroy())
    )
  )

export const layer = NodeHttpClient.layerUndiciNoDispatcher.pipe(Layer.provide(layerDispatcher()))
