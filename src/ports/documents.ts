/**
 * Few, small, precious texts that must outlive everything: configuration and the keyring. A name is one or two segments of letters,
 * digits and hyphens (`keyring`, `<workspaceId>/telephony`); the text is opaque. Every method answers within its deadline or throws
 * STORE_UNAVAILABLE.
 */
export interface DocumentStore {
  /** The text as it stands, hand-made changes included; null where there is none. */
  read(name: string): Promise<string | null>
  /**
   * Writes in one durable step, and only where exactly `expected` stands (null: nothing); false where something else does. What was
   * acknowledged outlives kill -9. After STORE_UNAVAILABLE read again to know what stands: it is the old text or the new one, never a
   * part.
   */
  replace(name: string, change: { readonly expected: string | null; readonly text: string }): Promise<boolean>
  /** Where the document lies, for messages to the people who run the service. */
  locate(name: string): string
  /** Tells which document may have changed behind this process (null: any of them may have). Tells too much rather than too little. */
  watch(listener: (name: string | null) => void): Disposable
  close(): Promise<void>
}
