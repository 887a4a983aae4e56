// Makes multigame-VERSION.vsix: a zip with the extension and two files about it. The usual tool for this takes 140 MB.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import "./build.mjs";

const root = import.meta.dirname;
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const read = (...path) => readFileSync(join(root, ...path));
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const types = { json: "application/json", js: "application/javascript", svg: "image/svg+xml", md: "text/markdown", txt: "text/plain", vsixmanifest: "text/xml" };

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${Object.entries(types).map(([name, type]) => `  <Default Extension=".${name}" ContentType="${type}"/>`).join("\n")}
</Types>
`;

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${about.name}" Version="${about.version}" Publisher="${about.publisher}"/>
    <DisplayName>${escaped(about.displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(about.description)}</Description>
    <Tags>${escaped([...about.keywords, "__ext_mg"].join(","))}</Tags>
    <Categories>${escaped(about.categories.join(","))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(about.engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

const folders = ["syntaxes", "snippets", "icons", "dist"].flatMap((folder) => readdirSync(join(root, folder)).sort().map((name) => [folder, name]));
const licences = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => read("..", "..", name).toString()).join("\n\n");

const file = `multigame-${about.version}.vsix`;
writeFileSync(
  join(root, file),
  zip([
    ["[Content_Types].xml", Buffer.from(contentTypes)],
    ["extension.vsixmanifest", Buffer.from(manifest)],
    ["extension/package.json", read("package.json")],
    ["extension/language-configuration.json", read("language-configuration.json")],
    ["extension/README.md", read("README.md")],
    ["extension/LICENSE.txt", Buffer.from(licences)],
    ...folders.map((path) => [`extension/${path.join("/")}`, read(...path)]),
  ]),
);
console.log(file);

/** A zip of files, always the same bytes for the same content. */
function zip(files) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, content] of files) {
    const packed = deflateRawSync(content, { level: 9 });
    const [path, common] = [Buffer.from(name), Buffer.alloc(26)];
    // Version 2.0, names in UTF-8, deflate, the first day that the format knows.
    [20, 0x800, 8, 0, 0x21].forEach((value, index) => common.writeUInt16LE(value, 2 * index));
    [crc32(content), packed.length, content.length].forEach((value, index) => common.writeUInt32LE(value, 10 + 4 * index));
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), common, path, packed);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, entry, path);
    offset += 4 + common.length + path.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
