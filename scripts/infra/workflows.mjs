// What GitHub itself would say of the workflows: its language service, run on each file that is named. Ends with 1 where it says anything.
//   node scripts/infra/workflows.mjs build/tsc/node_modules .github/workflows/*.yaml
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

// Its files import JSON as a bundler would understand it.
const asModule = `import { readFileSync } from "node:fs";
  export const load = (url, context, next) => url.endsWith(".json")
    ? { format: "module", shortCircuit: true, source: "export default " + readFileSync(new URL(url)) } : next(url, context);`;
register(`data:text/javascript,${encodeURIComponent(asModule)}`);

const [modules, ...files] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(modules, name)));
const { validate } = await load("@actions/languageservice/dist/index.js");
const { TextDocument } = await load("vscode-languageserver-textdocument/lib/esm/main.js");
for (const file of files) {
  const document = TextDocument.create(pathToFileURL(resolve(file)).href, "yaml", 1, readFileSync(file, "utf8"));
  for (const { range, message } of await validate(document, {})) {
    console.log(`${file}:${range.start.line + 1}: ${message}`);
    process.exitCode = 1;
  }
}
