/** The second page: shows the checkout element in one of the four ways in which a shop can use it. */
import { load } from "/daybook-checkout.js"

const { intent, paymentOffer, publicKey, sdk } = JSON.parse(document.querySelector("#given").textContent)
const { mode, order } = document.querySelector("#checkout").dataset
const paymentPlanId = paymentOffer?.offered_payment_plans[0].id

const OPTIONS = {
  offer: { paymentOffer },
  intent: { intent },
  buttonless: { paymentOffer, buttonlessSubmission: true },
  headless: { paymentOffer, paymentPlanId, headless: true }
}

const checkout = load({ sdk, publicKey })
  .elements()
  .create("checkout", OPTIONS[mode] ?? OPTIONS.offer)
// The server asks the service whether anything may be shipped; this page decides nothing.
checkout.on("success", () => location.assign(`/thanks/${order}`))
checkout.on("failure", ({ message }) => {
  console.error(message)
  location.assign(`/other-ways/${order}`)
})
// The buyer of an intent may choose another company in the element; every other buyer must pay another way.
checkout.on("rejected", () => {
  if (mode !== "intent") location.assign(`/other-ways/${order}`)
})

const button = document.querySelector("#place")
if (button !== null) {
  checkout.on("formState", ({ isReadyToSubmit }) => {
    button.disabled = !isReadyToSubmit
  })
  checkout.on("ready", () => {
    if (mode === "headless") button.disabled = false
  })
  button.addEventListener("click", () => {
    button.disabled = true
    checkout.confirmOrder()
  })
}
checkout.mount("#checkout")
