/** Renders the current page of a session, which depends on the choices and answers so far. */
import { Effect } from "effect"
import { accountNameOf } from "../../sync/connect/LinkPerson.ts"
import * as OAuth from "../../connectors/OAuth.ts"
import * as Connecting from "../../sync/library/Connecting.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import type { SourceNeed } from "../../sync/library/SourceNeeds.ts"
import { sourceText } from "../../sync/library/config/schema/SourceTexts.ts"
import { unwrittenError, unwrittenPreview } from "../../sync/library/Unwritten.ts"
import { html, type Node } from "../page/Html.ts"
import { grouped, plural } from "../page/language/Figures.ts"
import { t } from "../page/language/Texts.ts"
import { previewBody } from "../page/Previews.ts"
import { decided, questionField } from "../page/SetupQuestions.ts"
import { type ConnectPage, ownForm } from "./ConnectLayout.ts"
import { correctionsOf } from "./Corrections.ts"
import * as Session from "./Session.ts"
import { LARGEST_BYTES, MOST_FILES } from "./Uploads.ts"

export interface Visit {
  readonly connecting: Connecting.Connecting
  /** The session's token. */
  readonly word: string
}

const PATIENCE_SECONDS = 60

/** `Xero` of `Xero: invoices, payments`. */
export const titleOf = ({ connector }: Connecting.ConnectSource): string =>
  connector.title.split(":")[0] ?? connector.name

const detailOf = ({ connector }: Connecting.ConnectSource): string =>
  connector.title.slice(titleOf({ connector } as Connecting.ConnectSource).length).replace(/^:\s*/, "")

const callbackOf = ({ connect }: Connecting.Connecting): string => `${connect.url}/connect/callback`

/** The source's authorisation page for this attempt; undefined if it has none. */
export const consentOf = (visit: Visit, source: Connecting.ConnectSource) => {
  const { configuration, link } = visit.connecting
  const authorisation = Connecting.authorisationOf(visit.connecting, source)
  if (authorisation === undefined) return undefined
  const { attempts = 0 } = Connecting.progressOf(link)
  const attempt = { redirect: callbackOf(visit.connecting), ...Session.attemptWords(visit.word, attempts) }
  const client = configuration.environment[authorisation.client.id] ?? ""
  return { authorisation, attempt, address: OAuth.consent(authorisation, client, attempt) }
}

/** Links to choose another source or to cancel, at the end of every step but the first. */
const leave = ({ connecting, word }: Visit): Node => html`
  <div class="row">
    ${
      Connecting.choicesOf(connecting).length > 1 && Connecting.chosenOf(connecting) !== undefined
        ? ownForm("/connect/back", word, html`<button class="quiet">Choose another source</button>`)
        : null
    }
    ${ownForm("/connect/cancel", word, html`<button class="quiet">Cancel and go back to ${connecting.connect.name}</button>`)}
  </div>
`

const choose = (visit: Visit, form: string): ConnectPage => ({
  title: t`Where do you keep your invoices?`,
  step: "Choose",
  body: html`
    ${Connecting.choicesOf(visit.connecting).map((source) =>
      ownForm(
        "/connect/source",
        form,
        html`<div class="choice">
          <input type="hidden" name="connector" value=${source.name} />
          <button class="primary">${Connecting.isFiles(source) ? t`Upload files` : titleOf(source)}</button>
          <div class="dim">${Connecting.isFiles(source) ? t`Exports as CSV or Excel, or a bank's statement` : detailOf(source)}</div>
        </div>`
      )
    )}
    ${leave({ ...visit, word: form })}
  `
})

const authorise = (visit: Visit, form: string, source: Connecting.ConnectSource, address: string): ConnectPage => {
  const { name } = visit.connecting.connect
  const account = accountNameOf(visit.connecting.link)
  const title = titleOf(source)
  return {
    title: t`Let ${name} read your ${title}`,
    step: "Connect",
    body: html`
      <p>
        You sign in at ${title} (<code>${new URL(address).hostname}</code>) and agree there; ${name} never sees your
        password. It may read and change nothing. Then you come back here and see the first documents before anything
        is connected.
      </p>
      <p>Should your books at ${title} go to the account of <strong>${account}</strong> at ${name}? If you are not with ${account}, cancel.</p>
      <p><a class="button primary" href=${address} rel="noreferrer">Continue to ${title}</a></p>
      ${leave({ ...visit, word: form })}
    `
  }
}

const organisation = (visit: Visit, form: string): ConnectPage => ({
  title: t`Which organisation?`,
  step: "Connect",
  body: html`
    ${ownForm(
      "/connect/organisation",
      form,
      html`<fieldset>
          <legend>You have access to several. Connect one of them:</legend>
          ${(Connecting.progressOf(visit.connecting.link).reached ?? []).map(
            ({ name, value }) =>
              html`<label><input type="radio" name="value" value=${value} required />${name ?? value}</label>`
          )}
        </fieldset>
        <button class="primary">Continue</button>`
    )}
    ${leave({ ...visit, word: form })}
  `
})

/** `client_secret` as a person reads it. */
const labelOf = (name: string): string => name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase())

const ask = (
  visit: Visit,
  form: string,
  source: Connecting.ConnectSource,
  needs: ReadonlyArray<SourceNeed>
): ConnectPage => ({
  title: t`Connect ${titleOf(source)}`,
  step: "Connect",
  body: html`
    <p>What you enter here is used to read, and nothing else. Keys are kept encrypted.</p>
    ${ownForm(
      "/connect/settings",
      form,
      html`${needs.map(
        ({ name, secret }) => html`<div class="field">
            <label for=${name}>${labelOf(name)}</label>
            <input id=${name} name=${name} type=${secret ? "password" : "text"} required maxlength="2000"
              autocomplete="off" spellcheck="false" aria-describedby=${`${name}-text`} />
            <span id=${`${name}-text`} class="dim">${sourceText(source.name, name)}</span>
          </div>`
      )}
        <button class="primary">Continue</button>`
    )}
    ${leave({ ...visit, word: form })}
  `
})

const files = (visit: Visit, form: string): ConnectPage => {
  const { files = [] } = Connecting.progressOf(visit.connecting.link)
  return {
    title: t`Upload your exports`,
    step: "Connect",
    body: html`
      <p>
        Lists of invoices, and of payments and credit notes if you have them: CSV, Excel (.xlsx) or a bank's statement, as
        your program writes them. At most ${MOST_FILES} files of ${LARGEST_BYTES / 2 ** 20} MB. They take the place of
        files that you uploaded earlier, so take whole lists.
      </p>
      ${
        files.length === 0
          ? null
          : html`<ul>${files.map(
              ({ bytes, name, shown }) =>
                html`<li>${shown} <span class="dim">(${grouped(Math.ceil(bytes / 1024))} KB)</span>
                  ${ownForm("/connect/remove", form, html`<input type="hidden" name="name" value=${name} /><button class="quiet">Remove ${shown}</button>`)}</li>`
            )}</ul>`
      }
      ${ownForm(
        "/connect/upload",
        form,
        html`<div class="field">
            <label for="file">${files.length === 0 ? t`Files` : t`More files`}</label>
            <input id="file" name="file" type="file" multiple required />
          </div>
          <button class=${files.length === 0 ? "primary" : "plain"}>Upload</button>`,
        { multipart: true }
      )}
      ${files.length === 0 ? null : ownForm("/connect/uploaded", form, html`<p><button class="primary">Continue</button></p>`)}
      ${leave({ ...visit, word: form })}
    `
  }
}

/** Replaces internal names of files by those that the person knows. */
const showing = (visit: Visit, source: Connecting.ConnectSource): ((text: string) => string) => {
  const { configuration, link } = visit.connecting
  const place = Connecting.filesFolder(visit.connecting, source)
    .slice(configuration.folder.length)
    .replace(/^[/\\]/, "")
  const names = Connecting.progressOf(link).files ?? []
  return (text) =>
    names.reduce((rest, { name, shown }) => rest.replaceAll(`${place.replaceAll("\\", "/")}/${name}`, shown), text)
}

const mapping = (visit: Visit, form: string, source: Connecting.ConnectSource) =>
  Effect.gen(function* () {
    const draft = yield* Connecting.draftOf(visit.connecting, source)
    const shown = showing(visit, source)
    if (draft.questions.length === 0) {
      const found = html`${decided(draft.decisions, shown)} ${ownForm("/connect/answers", form, correctionsOf(draft, shown))}`
      // Whoever sees why the files cannot be read so, sees what was found in them, and can put it right.
      return yield* Effect.catch(review(visit, form, source, found), (error) =>
        Effect.succeed(failed(visit, form, source, error, found))
      )
    }
    const page: ConnectPage = {
      title: t`${plural(draft.questions.length, "question")} about your files`,
      step: "Connect",
      body: html`
        ${ownForm(
          "/connect/answers",
          form,
          html`${draft.questions.map((one) => questionField(one, shown))} <button class="primary">Continue</button>`
        )}
        ${decided(draft.decisions, shown)}
        ${ownForm("/connect/more", form, html`<button class="quiet">Add or remove files</button>`)}
        ${leave({ ...visit, word: form })}
      `
    }
    return page
  })

/**
 * Why nothing could be read. Of a source whose address was entered, one sentence for everything: who answers there, and how, is
 * not told to a stranger, but logged.
 */
const unread = (
  { connecting }: Visit,
  source: Connecting.ConnectSource,
  candidate: Connecting.ConnectCandidate,
  error: unknown
): Effect.Effect<never, unknown> => {
  if (!Connecting.isEntered(connecting, candidate)) return Effect.fail(error)
  const why = t`${titleOf(source)} could not be read with what was entered. Check the address, and that the keys are complete and may read invoices or orders; if all of it is right, ask ${connecting.connect.name}.`
  return Effect.andThen(
    Effect.logWarning(`a link of ${connecting.link.terms.by}: ${messageOf(error)}`),
    Effect.fail(new UsageError({ why }))
  )
}

const review = (visit: Visit, form: string, source: Connecting.ConnectSource, found: Node = null) =>
  Effect.gen(function* () {
    const candidate = yield* Connecting.candidateOf(visit.connecting, source)
    const previews = yield* Connecting.previewOf(visit.connecting, source, candidate).pipe(
      Effect.provide(ServiceClient.outside),
      Effect.timeoutOrElse({
        duration: `${PATIENCE_SECONDS} seconds`,
        orElse: () => Effect.fail(new Error(t`${titleOf(source)} took longer than a minute to answer; try again`))
      }),
      Effect.catch((error) => unread(visit, source, candidate, error))
    )
    const { connect } = visit.connecting
    const account = accountNameOf(visit.connecting.link)
    const shown = showing(visit, source)
    const page: ConnectPage = {
      title: t`Is this right?`,
      step: "Check",
      body: html`
        <p>These are the first documents as ${connect.name} would read them.</p>
        <p>Should they go to the account of <strong>${account}</strong> at ${connect.name}? If these are not the books of ${account}, cancel.</p>
        ${ownForm("/connect/confirm", form, html`<button class="primary">Connect</button>`)}
        ${previews.map((preview) => previewBody(unwrittenPreview(preview, "form", shown)))} ${found}
        ${ownForm("/connect/more", form, html`<button class="quiet">${Connecting.isFiles(source) ? t`Add or remove files` : t`Enter it again`}</button>`)}
        ${leave({ ...visit, word: form })}
      `
    }
    return page
  })

/** The page for a failed step: most mistakes are in what was entered. */
const failed = (
  visit: Visit,
  form: string,
  source: Connecting.ConnectSource,
  error: unknown,
  found: Node = null
): ConnectPage => ({
  title: t`Something went wrong`,
  step: "Connect",
  wrong: showing(
    visit,
    source
  )(
    Connecting.isFiles(source)
      ? unwrittenError(error, "form")
      : messageOf(error).replaceAll(/connections\[\d+\]\.source\./g, "")
  ),
  body: html`
    <p>Nothing was connected.</p> ${found}
    ${ownForm("/connect/more", form, html`<button class="primary">${Connecting.isFiles(source) ? t`Choose other files` : t`Enter it again`}</button>`)}
    ${leave({ ...visit, word: form })}
  `
})

/** The page of a session in progress. */
export const pageOf = (visit: Visit): Effect.Effect<ConnectPage> => {
  const { connecting } = visit
  const form = Session.formWord(visit.word)
  const source = Connecting.chosenOf(connecting)
  if (source === undefined) return Effect.succeed(choose(visit, form))
  const { authorised, reached = [], uploaded } = Connecting.progressOf(connecting.link)
  const step = Effect.suspend((): Effect.Effect<ConnectPage, unknown> => {
    if (Connecting.isFiles(source))
      return uploaded === true ? mapping(visit, form, source) : Effect.succeed(files(visit, form))
    const consent = authorised === true ? undefined : consentOf(visit, source)
    if (consent !== undefined) return Effect.succeed(authorise(visit, form, source, consent.address))
    const needs = Connecting.asksOf(connecting, source)
    const choosing = needs.some(({ name }) => reached.some(({ setting }) => setting === name))
    if (choosing && reached.length > 1) return Effect.succeed(organisation(visit, form))
    return needs.length > 0 ? Effect.succeed(ask(visit, form, source, needs)) : review(visit, form, source)
  })
  return Effect.catch(step, (error) => Effect.succeed(failed(visit, form, source, error)))
}
