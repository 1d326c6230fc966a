// Where the packages are that the wrappers here run: .ci/packages puts them there.
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const shelf = process.env.OCTABLE_PACKAGES || join(cache, "octable-packages");
const require = createRequire(join(shelf, "package.json"));

// The package of this name, and what it says of itself.
export function load(name) {
  try {
    const { name: called, version, homepage } = require(`${name}/package.json`);
    return { package: require(name), about: { name: called, version, link: homepage ?? `https://www.npmjs.com/package/${called}` } };
  } catch (e) {
    console.error(`${name} is not in ${shelf}: run .ci/packages (${e.message.split("\n")[0]})`);
    process.exit(1);
  }
}
