import { html, type Html } from '../../http/html.ts'

const departments = [
  ['Heart Centre', 'From a first check of your blood pressure to surgery, in one house.'],
  ['Bones and Joints', 'Sports injuries, worn joints, and the way back to walking.'],
  ['Children’s Clinic', 'Doctors with time for small patients and their parents.'],
  ['Skin Clinic', 'Allergies, moles and everything that itches.'],
] as const

/** A hospital's page with the widget's tag. */
export function page({ key, hospitalName }: { readonly key: string; readonly hospitalName: string }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${hospitalName}</title>
        <link
          rel="icon"
          href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231456c4'/%3E%3Cpath d='M8 4v8M4 8h8' stroke='white' stroke-width='2'/%3E%3C/svg%3E"
        />
        <link rel="stylesheet" href="/widget/demo/style.css" />
        <script async src="/widget.js" data-widget-key="${key}"></script>
      </head>
      <body>
        <header class="bar">
          <p class="name"><span class="mark" aria-hidden="true"></span>${hospitalName}</p>
          <nav aria-label="Main">
            <a href="#departments">Departments</a>
            <a href="#visiting">Visiting</a>
            <a href="#about">About this page</a>
          </nav>
        </header>
        <main>${welcome} ${departmentTiles} ${visitingAndAbout(key)}</main>
      </body>
    </html> `
}

const welcome = html`<section class="welcome">
  <div>
    <h1>Good care begins with a good conversation.</h1>
    <p>See a doctor this week. Ask us anything, find a free time and book your visit here, in two minutes and without a call.</p>
    <p class="actions">
      <button type="button" class="main" data-widget-open="book">Book a visit</button>
      <button type="button" data-widget-open>Ask a question</button>
    </p>
  </div>
  <dl>
    <div>
      <dt>Open for visits</dt>
      <dd>Monday to Saturday</dd>
    </div>
    <div>
      <dt>Emergencies</dt>
      <dd>Day and night</dd>
    </div>
    <div>
      <dt>We speak</dt>
      <dd>Your language</dd>
    </div>
  </dl>
</section>`

const departmentTiles = html`<section aria-labelledby="departments">
  <h2 id="departments">Departments</h2>
  <ul class="tiles">
    ${departments.map(
      ([name, words]) =>
        html`<li>
          <h3>${name}</h3>
          <p>${words}</p>
        </li>`,
    )}
  </ul>
</section>`

function visitingAndAbout(key: string): Html {
  return html`<section aria-labelledby="visiting" class="split">
    <div>
      <h2 id="visiting">Visiting a patient</h2>
      <p>Wards are open to visitors from 4 to 7 in the afternoon, the children’s ward all day for parents.</p>
    </div>
    <div>
      <h2 id="about">About this page</h2>
      <p>
        This is the sandbox’s example of a site with the widget: nothing here is real. The widget came with one tag, under a
        Content-Security-Policy that allows no inline style and no other script:
      </p>
      <pre><code>&lt;script async src="…/widget.js" data-widget-key="${key}"&gt;&lt;/script&gt;</code></pre>
      <p>A button of the page opens it if it has <code>data-widget-open</code> or <code>data-widget-open="book"</code>.</p>
    </div>
  </section>`
}
