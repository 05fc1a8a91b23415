// Signs a request and sends it: KEY_ID=... SECRET=... dotnet run METHOD URL [BODY]
using System;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class Program
{
    static int Main(string[] args) => Send(args[0], args[1], args.ElementAtOrDefault(2) ?? "").GetAwaiter().GetResult();

    static async Task<int> Send(string method, string url, string text)
    {
        var body = Encoding.UTF8.GetBytes(text);
        var request = new HttpRequestMessage(new HttpMethod(method), url);
        if (body.Length > 0)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }
        if (Variable("IF_MATCH", "") != "") request.Headers.Add("If-Match", Variable("IF_MATCH", ""));
        var created = Variable("SIGN_CREATED", DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString());
        var nonce = Variable("SIGN_NONCE", Guid.NewGuid().ToString());
        var signatureBase = Signing.Sign(request, body, Variable("KEY_ID", ""), Variable("SECRET", ""), created, nonce);
        if (Variable("SIGN_ONLY", "") != "")
        {
            Console.WriteLine($"{signatureBase}\n\n{request.Headers.GetValues("Signature").Single()}");
            return 0;
        }
        using (var handler = new HttpClientHandler { AllowAutoRedirect = false })
        using (var client = new HttpClient(handler) { Timeout = TimeSpan.FromSeconds(10) })
        using (var answer = await client.SendAsync(request))
        {
            var isOwn = Nonce(answer) == nonce;
            var shown = isOwn ? await answer.Content.ReadAsStringAsync() : $"HTTP {(int)answer.StatusCode}, not the service's answer";
            (isOwn ? Console.Out : Console.Error).WriteLine(shown);
            return isOwn && answer.IsSuccessStatusCode ? 0 : 1;
        }
    }

    static string Nonce(HttpResponseMessage answer) =>
        answer.Headers.TryGetValues("Request-Nonce", out var nonces) ? nonces.Single() : "";
    static string Variable(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;
}
