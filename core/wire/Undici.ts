/**
 * Loads the underlying HTTP client, undici, when the first request is sent. Many runs send no request, and would otherwise
 * spend a third of their time loading it.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Agent, Dispatcher } from "@effect/platform-node/Undici"
import { Context, Effect, Layer } from "effect"
import { isInsideByNumber, lookupOutside } from "../Reach.ts"

/** Marks requests to names that may lead to the internet only; the client's types know no marks. */
const INTERNET = Symbol("internet") as unknown as null

/** Sends the requests of this work to the internet only. */
export const onInternet = Context.make(NodeHttpClient.UndiciOptions, { opaque: INTERNET })

class LateDispatcher {
  readonly #options: Agent.Options
  #internet: LateDispatcher | undefined
  #agent: Agent | undefined
  #reading: Promise<Agent> | undefined

  constructor(options: Agent.Options) {
    this.#options = options
  }

  /** Its connections are its own: one that others made may lead anywhere. */
  get #toInternet(): LateDispatcher {
    return (this.#internet ??= new LateDispatcher({ ...this.#options, connect: { lookup: lookupOutside } }))
  }

  #read(): Promise<Agent> {
    return (this.#reading ??= import("@effect/platform-node/Undici").then(
      ({ Agent }) => (this.#agent = new Agent(this.#options))
    ))
  }

  request({
    opaque,
    ...options
  }: Dispatcher.RequestOptions & { readonly origin: string }): Promise<Dispatcher.ResponseData> {
    if (opaque === INTERNET)
      // An address in numbers is not looked up. It may come from anywhere: another setting, or an answer.
      return isInsideByNumber(options.origin)
        ? Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }))
        : this.#toInternet.request(options)
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
    await Promise.all([this.#reading?.then((agent) => agent.destroy()), this.#internet?.destroy()])
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
