/** What the softphone of this browser can do with the call that it has. */
export type PhoneControls = { readonly hangUp: () => void }

/** Null: the softphone has no call. */
export function usePhoneControls(): PhoneControls | null {
  return null
}
