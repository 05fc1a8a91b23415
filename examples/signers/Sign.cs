using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;

static class Signing
{
    /// <summary>Adds a signature, and returns its base. The nonce identifies the call: a retry keeps it and uses a later time.</summary>
    public static string Sign(HttpRequestMessage request, byte[] body, string keyId, string secret, string created, string nonce)
    {
        var uri = request.RequestUri ?? throw new ArgumentException("The request has no URI.");
        var covered = new List<(string Name, string Value)>
        {
            ("@method", request.Method.Method),
            ("@authority", uri.Authority), // which Uri gives in lower case, without a default port
            ("@path", uri.AbsolutePath),
        };
        if (uri.Query.Length > 1) covered.Add(("@query", uri.Query));
        if (body.Length > 0)
        {
            using (var sha256 = SHA256.Create())
                covered.Add(("content-digest", $"sha-256=:{Convert.ToBase64String(sha256.ComputeHash(body))}:"));
            request.Headers.Add("Content-Digest", covered.Last().Value);
        }
        if (request.Headers.TryGetValues("If-Match", out var versions)) covered.Add(("if-match", string.Join(", ", versions)));
        var names = string.Join(" ", covered.Select(component => $"\"{component.Name}\""));
        var parameters = $"({names});created={created};nonce=\"{nonce}\";keyid=\"{keyId}\"";
        covered.Add(("@signature-params", parameters));
        var signatureBase = string.Join("\n", covered.Select(component => $"\"{component.Name}\": {component.Value}"));
        byte[] mac;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            mac = hmac.ComputeHash(Encoding.UTF8.GetBytes(signatureBase));
        request.Headers.Add("Signature-Input", $"sig1={parameters}");
        request.Headers.Add("Signature", $"sig1=:{Convert.ToBase64String(mac)}:");
        return signatureBase;
    }
}
