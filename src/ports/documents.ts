/**
 * A few small texts that must never be lost: the configuration and the keyring. A name is one or two segments of letters, digits and hyphens
 * (`keyring`, `<workspaceId>/telephony`). The text is opaque. Every method answers within its deadline or throws STORE_UNAVAILABLE.
 */
export interface DocumentStore {
  /** The present text, with edits by hand; null if there is no such document. */
  read(name: string): Promise<string | null>
  /**
   * Replaces the text in one durable step, only if it is exactly `expected` (null: no document); otherwise returns false. An acknowledged
   * write survives kill -9. After STORE_UNAVAILABLE, read again: the text is the old one or the new one, never a part.
   */
  replace(name: string, change: { readonly expected: string | null; readonly text: string }): Promise<boolean>
  /** The place of the document, for messages to the operators of the service. */
  locate(name: string): string
  /** Reports documents that another process or a person may have changed (null: any document). It may report too many, but never too few. */
  watch(listener: (name: string | null) => void): Disposable
  close(): Promise<void>
}
