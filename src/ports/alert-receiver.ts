/** Where a workspace wants its alerts, and the secret that signs them (`whsec_` and base64). */
export type AlertAddress = { readonly workspaceId: string; readonly url: string; readonly secret: string }

/** `id` is the same in each try, so that a receiver recognises repeats. `body`: JSON. */
export type AlertMessage = { readonly id: string; readonly body: string; readonly signal: AbortSignal }

/** A system at an address that an admin has entered. */
export interface AlertReceiver {
  /**
   * Sends one signed message, within 10 s. Resolves if the receiver answers with a status of 200 to 299. Errors: PROVIDER_REFUSED (another
   * status), PROVIDER_UNAVAILABLE, DEADLINE_PASSED, INVALID_INPUT (the address is not public).
   */
  send(message: AlertMessage): Promise<void>
}
