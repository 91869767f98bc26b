import { useState } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import { textOf, valueAt, type Values } from './form/values.ts'
import { useConfigurationTexts } from './texts.ts'

/** A piece of a page with the colours and fonts of the draft. */
export function ThemePreview({ draft }: { readonly draft: Values }) {
  const texts = useConfigurationTexts()
  const at = (...path: readonly string[]): string => textOf(valueAt(draft, path))
  const logo = at('brand', 'logoUrl')
  const [broken, setBroken] = useState('')
  return (
    <section className="config-card config-preview" aria-label={texts.preview}>
      <header>
        <h2>{texts.preview}</h2>
      </header>
      {logo !== '' && broken === logo && <Notice tone="warn" role="status" title={texts.noPicture} />}
      <div
        className="config-preview-page"
        aria-hidden="true"
        style={{ background: at('colors', 'background'), color: at('colors', 'text'), fontFamily: at('fonts', 'body') }}
      >
        <div className="config-preview-brand" style={{ fontFamily: at('fonts', 'heading') }}>
          {/^https?:\/\//.test(logo) && <img src={logo} alt="" referrerPolicy="no-referrer" onError={() => setBroken(logo)} />}
          {at('brand', 'hospitalName') || '…'}
        </div>
        <p>{texts.previewText}</p>
        <span className="config-preview-button" style={{ background: at('colors', 'primary'), color: at('colors', 'background') }}>
          {texts.previewButton}
        </span>
        <span className="config-preview-accent" style={{ background: at('colors', 'accent') }} />
      </div>
    </section>
  )
}
