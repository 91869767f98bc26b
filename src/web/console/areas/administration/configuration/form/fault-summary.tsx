import { Notice } from '../../../../ui/notice.tsx'
import { useConfigurationTexts } from '../texts.ts'
import { focusField } from './focus-field.ts'
import type { ShownFault } from './use-section-form.ts'

/** What is wrong, in one place, each entry a way to its field. */
export function FaultSummary({ faults }: { readonly faults: readonly ShownFault[] }) {
  const texts = useConfigurationTexts()
  if (faults.length === 0) return null
  return (
    <Notice tone="bad" title={texts.faults(faults.length)} role="alert">
      <ul className="config-faults">
        {faults.map(({ path, label, message }) => (
          <li key={path}>
            <button type="button" className="config-link" onClick={() => focusField(path)}>
              {label}
            </button>
            {': '}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
