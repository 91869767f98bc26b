/** Where third parties reach this service. */
export type PublicAddress = {
  /** Without a slash at the end; null if they cannot reach it. */
  url(): string | null
  /** Reports the port on which the service listens. */
  listensOn(port: number): void
}

/** `setting`: the configured address. Its port 0 means the port on which the service listens. */
export function createPublicAddress(setting: string | null): PublicAddress {
  let url = setting
  return {
    url: () => url,
    listensOn(port) {
      if (setting === null || new URL(setting).port !== '0') return
      const own = new URL(setting)
      own.port = String(port)
      url = own.href.replace(/\/+$/, '')
    },
  }
}
