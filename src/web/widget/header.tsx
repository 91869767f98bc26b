import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { initialsOf } from './doctor-card.tsx'
import { Icon } from './icons.tsx'

type HeaderProps = {
  readonly titleId: string
  readonly title: string
  readonly logoUrl: string | null
  readonly isOnline: boolean
  /** Null if there is no previous view. */
  readonly onBack: (() => void) | null
  /** Null if there are no messages. */
  readonly onStartOver: (() => void) | null
  readonly onClose: () => void
}

export function Header({ titleId, title, logoUrl, isOnline, onBack, onStartOver, onClose }: HeaderProps): JSX.Element {
  return (
    <div class="top">
      {onBack && (
        <button type="button" class="ghost" onClick={onBack} aria-label="Back">
          <Icon name="back" />
        </button>
      )}
      <Logo url={logoUrl} name={title} />
      <div class="brand">
        <h2 id={titleId} class="title" tabIndex={-1}>
          {title}
        </h2>
        <p role="status">{isOnline ? 'Online' : 'You are offline'}</p>
      </div>
      {onStartOver && (
        <button type="button" class="ghost" onClick={onStartOver} aria-label="New conversation" title="New conversation">
          <Icon name="new" />
        </button>
      )}
      <button type="button" class="ghost" onClick={onClose} aria-label="Close">
        <Icon name="close" />
      </button>
    </div>
  )
}

/** The hospital's logo; its initials if there is no logo, or if the page's policy blocks it. */
function Logo({ url, name }: { readonly url: string | null; readonly name: string }): JSX.Element {
  const [isBroken, setIsBroken] = useState(false)
  return (
    <span class="logo" aria-hidden="true">
      {url !== null && !isBroken ? (
        <img src={url} alt="" referrerPolicy="no-referrer" onError={() => setIsBroken(true)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  )
}
