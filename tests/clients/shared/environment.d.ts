/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Address of the service; the page is served from another origin. */
  readonly VITE_SERVICE_URL: string
}
